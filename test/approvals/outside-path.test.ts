import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { ptyProblem } from '../cli/pty.ts';
import { withApprovals } from './pending.ts';

const ASKS = 'Approve? yes / no / more: ';
const problem = ptyProblem();

/** A workspace with a file outside, and links to it. */
function place(): Sandbox & { readonly outside: string } {
  const box = sandboxHere('');
  const outside = path.join(path.dirname(box.root), 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'notes.md'), 'Tea is ready.\n');
  writeFileSync(path.join(outside, 'other.md'), 'Coffee is ready.\n');
  symlinkSync(path.join(outside, 'notes.md'), path.join(box.root, 'link.md'));
  return { ...box, outside };
}

const ask = (source: string) => ['q', '-n', '-a', source, 'tea'];

/** The paths of all requests, and how they stand. */
async function requests(box: Sandbox): Promise<string[]> {
  return withApprovals(box, async (approvals) =>
    (await approvals.list({}, Date.now()))
      .map(({ reason, state }) => `${'path' in reason ? path.basename(reason.path) : '?'} ${state.status}`)
      .reverse(),
  );
}

it.each([
  ['..', () => '../outside/notes.md'],
  ['an absolute path', (outside: string) => path.join(outside, 'notes.md')],
  ['a link', () => 'link.md'],
])(
  'an attachment by %s waits without a terminal, is bound to its real path, and used once',
  async (_, source) => {
    const box = place();
    const words = ask(source(box.outside));
    const waits = await box.ken(words);
    expect(waits).toMatchObject({ code: 4, stdout: '' });
    const [, id = ''] =
      /^ken: This waits for approval ([0-9a-f]{12}): Use a path outside the workspace\?\n/.exec(
        waits.stderr,
      ) ?? [];
    await withApprovals(box, async (approvals) => {
      expect((await approvals.get(id, Date.now()))?.reason).toEqual({
        type: 'workspace_escape',
        path: path.join(box.outside, 'notes.md'),
      });
      const decision = { by: 'ada', at: Date.now(), through: 'terminal' } as const;
      await approvals.decide({ id, verdict: 'approve', decision });
    });
    // Another file, and a link that leads elsewhere by now, are other requests.
    expect((await box.ken(ask('../outside/other.md'))).code).toBe(4);
    rmSync(path.join(box.root, 'link.md'));
    symlinkSync(path.join(box.outside, 'other.md'), path.join(box.root, 'link.md'));
    expect((await box.ken(ask('link.md'))).code).toBe(4);
    expect(await requests(box)).toEqual(['notes.md approved', 'other.md pending']);
    const allowed = source(box.outside) === 'link.md' ? ask('../outside/notes.md') : words;
    expect((await box.ken(allowed)).code).not.toBe(4);
    expect((await box.ken(allowed)).code).toBe(4);
  },
);

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it('asks once for a directory, and again where a link in it leads further out', async () => {
    const box = place();
    mkdirSync(path.join(box.root, '../far'));
    writeFileSync(path.join(box.root, '../far/far.md'), 'Far.\n');
    symlinkSync('../far/far.md', path.join(box.outside, 'z.md'));
    const { text } = await atTerminal(box, ask('../outside'), [
      { after: ASKS, keys: 'yes\r' },
      { after: ASKS, keys: 'no\r' },
    ]);
    expect(text).toContain(`│ » ${box.outside}\n`);
    expect(text).toContain(`│ » ${path.join(box.root, '../far/far.md')}\n`);
    expect(await requests(box)).toEqual(['outside consumed', 'far.md denied']);
  });
});
