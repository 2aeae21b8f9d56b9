import { Fault } from '../../../base/fault.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import { attempt } from '../attempt.ts';
import { command } from '../command.ts';
import { SECTIONS, type Section, type SectionContent } from '../status.ts';
import type { Terminal } from '../terminal.ts';
import { styler } from '../terminal-abilities.ts';

const TIMEOUT_MS = 10_000;

export const status = command({
  name: 'status',
  summary: 'show what is here, what is stale and what needs your approval',
  examples: ['status', 'status --json'],

  async run({ terminal, open, signal }) {
    const app = await open();
    const contents = await Promise.all(
      SECTIONS.map(async (section) => {
        const read = await attempt(() => section.read(app), { signal, timeoutMs: TIMEOUT_MS });
        return { section, content: read.isDone ? read.value : unreadable(read.error) };
      }),
    );
    const shown = contents.flatMap(({ section, content }) => (content ? [{ section, content }] : []));
    if (terminal.json)
      terminal.printJson(Object.fromEntries(shown.map(({ section, content }) => [section.id, content.data])));
    else for (const { section, content } of shown) printSection(terminal, section, content);
  },
});

function unreadable(error: unknown): SectionContent {
  const message = error instanceof Error ? error.message : String(error);
  const hint = (error instanceof Fault && error.hint) || 'Run "ken doctor" to find out more.';
  return { lines: [`cannot be shown: ${message}`, hint], data: { error: { message, hint } } };
}

function printSection(terminal: Terminal, { title }: Section, { lines }: SectionContent): void {
  terminal.printStyled(styler(terminal.color)('bold', title));
  for (const line of lines) terminal.printStyled(`  ${neutralise(line)}`);
}
