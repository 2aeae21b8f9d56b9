/** Several terminals, several writers: whose conversation goes on, and who waits for whom. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CTRL_C, openPty, ptyProblem } from '../cli/pty.ts';
import { type Asking, asking } from '../recorded/asking.ts';
import type { Answer } from '../recorded/replay-server.ts';
import { saying } from './scripted-replies.ts';
import { talk } from './talk.ts';

const noPty = ptyProblem();
const noSession =
  !existsSync('/proc/self/stat') || spawnSync('setsid', ['-w', 'true']).status !== 0
    ? 'there is no /proc, or no setsid'
    : undefined;
const NONE = { KEN_TERMINAL: '' };
const inSession = (line: string) => `export -f ken; setsid -w bash -c '${line}'`;

/** In processes of its own, whose session is that of nobody among them. */
const IN_CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc'] as const;
const noContainer =
  spawnSync('env', [...IN_CONTAINER, 'true']).status === 0 ? '' : ' (unshare may not make a container here)';

describe('the active conversation is that of the terminal', () => {
  it.each(['KEN_TERMINAL', 'TMUX_PANE', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'TERM_SESSION_ID'])(
    'by %s',
    async (name) => {
      const place = await talk();
      for (const [value, count] of [
        ['%1', 1],
        ['%1', 1],
        ['%2', 2],
        ['%1', 2],
      ] as const) {
        await place.ken(['q', 'hi'], { environment: { ...NONE, [name]: value } });
        expect(place.conversations()).toHaveLength(count);
      }
    },
  );

  it('and KEN_TERMINAL says it before all others', async () => {
    const place = await talk();
    for (const pane of ['%1', '%2'])
      await place.ken(['q', 'hi'], { environment: { KEN_TERMINAL: 'one', TMUX_PANE: pane } });
    expect(place.conversations()).toHaveLength(1);
    await place.ken(['q', 'hi'], { environment: { ...NONE, TMUX_PANE: '%1' } });
    expect(place.conversations()).toHaveLength(2);
  });

  it('and where it cannot be kept, questions are answered and conversations forked with a warning', async () => {
    const place = await talk();
    mkdirSync(path.join(place.home, 'state'), { recursive: true });
    writeFileSync(path.join(place.home, 'state/active'), '');
    const environment = { KEN_TERMINAL: 'one' };
    const warning = "warning: the conversation is not this terminal's active one: Cannot write";
    for (const words of [
      ['q', 'hi'],
      ['c', 'fork', '@last'],
    ])
      expect(await place.ken(words, { environment })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/./),
        stderr: expect.stringContaining(warning),
      });
    expect(place.conversations()).toHaveLength(2);
    expect((await place.ken(['c', 'use', '@last'], { environment })).code).not.toBe(0);
  });

  describe.skipIf(noSession)(`or by the kernel’s session${noSession ? ` (${noSession})` : ''}`, () => {
    it('where no variable says it', async () => {
      const place = await talk();
      for (const count of [1, 2]) {
        expect((await place.shell(inSession('ken q one && ken q two'), { environment: NONE })).code).toBe(0);
        expect(place.conversations()).toHaveLength(count);
      }
    });

    it('when its leader is gone', async () => {
      const place = await talk();
      const orphans = '(while [ -e /proc/$$ ]; do :; done; ken q one && ken q two) &';
      expect(await place.shell(inSession(orphans), { environment: NONE })).toMatchObject({
        stdout: 'ok\nok\n',
      });
      expect(place.conversations()).toHaveLength(1);
    });
  });

  it.skipIf(noContainer)(`and a new one begins where there is none${noContainer}`, async () => {
    const place = await talk();
    const twice = `export -f ken; ${IN_CONTAINER.join(' ')} bash -c 'ken q one && ken q two'`;
    expect((await place.shell(twice, { environment: NONE })).code).toBe(0);
    expect(place.conversations()).toHaveLength(2);
  });
});

/** Says something, and goes on when it is told to. */
function slow(): { answer: Answer; goOn(): void; begun: Promise<void> } {
  const { body } = saying('Slowly.');
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const until = () => {
    begun.resolve();
    return gate.promise;
  };
  return {
    answer: { body, pause: { at: body.indexOf('\n\n') + 2, until } },
    goOn: gate.resolve,
    begun: begun.promise,
  };
}

async function twoWriters(): Promise<{ box: Asking; goOn(): void; first: ReturnType<Asking['ken']> }> {
  const { answer, goOn, begun } = slow();
  const box = await asking('llamacpp', [saying('1'), answer, saying('3')]);
  await box.ken(['q', 'first']);
  const first = box.ken(['q', 'second']);
  await begun;
  return { box, goOn, first };
}

const BUSY =
  /^ken: This conversation is being written by process \d+ on \S+ since \S+\.\nhint: Wait until it is done, or start a new conversation with --new\.\n$/;

describe('a second writer', () => {
  it('is told at once who the first is where nobody sits; readers do not wait', async () => {
    const { box, goOn, first } = await twoWriters();
    const before = box.events();
    for (const words of [
      ['q', 'third'],
      ['c', 'label', 'add', 'x=1'],
      ['c', 'edit', '@last', '--title', 'Other'],
      ['c', 'archive', '@last'],
      ['c', 'rm', '--yes', '@last'],
      ['c', 'compact', '--text', 'Short.', '--keep', '0'],
    ]) {
      const { code, stdout, stderr } = await box.ken(words);
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 5, stdout: '' });
      expect(stderr).toMatch(BUSY);
    }
    for (const words of [
      ['c', 'show'],
      ['c', 'print'],
      ['c', 'ls'],
      ['c', 'grep', 'second'],
      ['c', 'fork', '@active'],
    ])
      expect((await box.ken(words)).code, words.join(' ')).toBe(0);
    expect(before.at(-1)).toMatchObject({ type: 'user_message', text: 'second' });
    goOn();
    expect(await first).toMatchObject({ code: 0, stdout: 'Slowly.\n' });
  });

  describe.skipIf(noPty)(`at a terminal${noPty ? ` (${noPty})` : ''}`, () => {
    const waiting = (box: Asking) =>
      openPty('ken q third; echo "ended $?"', {
        directory: box.root,
        columns: 200,
        environment: { KEN_HOME: box.home, TEST_KEY: 'secret', TERM: 'dumb' },
      });

    it('waits, and says for whom', async () => {
      const { box, goOn, first } = await twoWriters();
      const pty = waiting(box);
      await pty.waitFor('Waiting until it is done; Ctrl-C leaves.');
      expect(pty.output()).toMatch(/warning: This conversation is being written by process \d+ on /);
      goOn();
      await first;
      await pty.waitFor('ended 0');
      const asked = box.events().flatMap((event) => (event.type === 'user_message' ? [event.text] : []));
      expect(asked).toEqual(['first', 'second', 'third']);
    });

    it('leaves at Ctrl-C, and nothing was written', async () => {
      const { box, goOn, first } = await twoWriters();
      const pty = waiting(box);
      await pty.waitFor('Ctrl-C leaves.');
      pty.type(CTRL_C);
      await pty.waitFor('ended 130');
      goOn();
      await first;
      const asked = box.events().flatMap((event) => (event.type === 'user_message' ? [event.text] : []));
      expect(asked).toEqual(['first', 'second']);
    });
  });
});
