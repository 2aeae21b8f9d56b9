/** The real frame around commands that show what the terminal is told. */

import { setTimeout } from 'node:timers/promises';
import { systemProcessTable } from '../../src/adapters/system/process-table.ts';
import { terminalQuestioner } from '../../src/adapters/terminal/questioner.ts';
import { operatorPresence } from '../../src/domain/approvals/operator/operator-presence.ts';
import type { Command } from '../../src/entry/cli/command.ts';
import { renderMarkdown } from '../../src/entry/cli/render/markdown.ts';
import { table } from '../../src/entry/cli/render/table.ts';
import { styler } from '../../src/entry/cli/terminal-abilities.ts';
import { runCommands } from './run-commands.ts';

const clock = { now: () => performance.now() };

const COMMANDS: Record<string, Command['run']> = {
  async style({ terminal }) {
    const { color, hyperlinks, markdown, isTerminal, isInteractive, columns } = terminal;
    terminal.printStyled(styler(color)('red', 'red'));
    terminal.printStyled(JSON.stringify({ color, hyperlinks, markdown, isTerminal, isInteractive, columns }));
    return 0;
  },
  async print({ terminal, arguments: [text = ''] }) {
    terminal.print(JSON.parse(`"${text}"`));
    return 0;
  },
  async table({ terminal }) {
    const rows = [
      ['tea', 'What to know about tea', '12'],
      ['日本', '日本の茶道', '3'],
    ];
    const columns = [{ title: 'topic' }, { title: 'title', flexible: true }, { title: 'files' }];
    terminal.printStyled(table(terminal, columns, rows));
    return 0;
  },
  async markdown({ terminal }) {
    const text = '# Tea\n\nSome *words* about it, and a [link](https://example.org).\n\n- one\n- two\n';
    terminal.writeStyled(await renderMarkdown(text, terminal));
    return 0;
  },
  async ask({ terminal, signal }) {
    const questioner = terminalQuestioner(
      { input: process.stdin, output: process.stderr },
      {
        presence: () =>
          operatorPresence({
            environment: process.env,
            processTable: systemProcessTable,
            lock: { open: async () => true },
            isAtTerminal: () => process.stdin.isTTY === true && process.stderr.isTTY === true,
          }),
      },
    );
    if (!(await questioner.isThere())) {
      terminal.print('nobody');
      return 4;
    }
    const options = ['tea', 'coffee'];
    const question = { id: 'drink', text: 'What to drink?', answerType: { select: { options } } };
    terminal.print(`answer: ${await questioner.ask('kitchen', question, signal)}`);
    return 0;
  },
  /** Works until it is interrupted, or does three steps. */
  async work({ terminal, signal, arguments: [how] }) {
    const progress = await terminal.progress(clock, signal);
    progress.phase({ title: 'Working', total: 3, unit: 'steps' });
    progress.update(1);
    terminal.note('a note');
    progress.update(2);
    if (how === 'fail') throw new Error('it broke');
    if (how === 'forever') await setTimeout(1_000_000, undefined, { signal });
    if (how !== 'forget') progress.end();
    terminal.print('done');
    return 0;
  },
};

await runCommands(COMMANDS);
