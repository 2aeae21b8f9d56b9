import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const CHECK = 'hint: Check references.root, who owns it and whether you may read there.\n';

it('a file in place of the library is said, whatever is asked', async () => {
  const { ken, home } = sandboxHere();
  const library = path.join(home, 'data/references');
  mkdirSync(path.dirname(library), { recursive: true });
  writeFileSync(library, '');
  const problem = {
    code: 1,
    stdout: '',
    stderr: `ken: ${library} cannot be read: it is not a directory.\n${CHECK}`,
  };
  for (const words of [
    'ls',
    'show x',
    'search x',
    'refresh --stale',
    'update x --tag y',
    'reindex',
    'doctor',
  ])
    expect(await ken(['ref', ...words.split(' ')])).toEqual(problem);
  expect(await ken(['ref', 'import', '.', '--title', 'T'])).toEqual(problem);
});

/** A library of two topics that nobody owns, whose tests nobody runs. */
async function nobodysLibrary(): Promise<{ nobody: Sandbox['ken']; library: string }> {
  const { ken, root, home, write } = sandboxHere();
  write('good/a.md', '# Good\n\nWhat stays readable.\n');
  write('bad/b.md', '# Bad\n\nWhat nobody may read.\n');
  for (const file of [path.dirname(home), root, home]) chmodSync(file, 0o777);
  chownSync(home, 65534, 65534);
  const nobody: Sandbox['ken'] = (words, options) => ken(words, { ...options, asNobody: true });
  for (const name of ['good', 'bad'])
    expect(await nobody(['ref', 'import', name, '--title', name])).toMatchObject({ code: 0 });
  return { nobody, library: path.join(home, 'data/references') };
}

it('a library that may not be read is said', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can become somebody else');
  const { nobody, library } = await nobodysLibrary();
  chmodSync(library, 0);
  const denied = (file: string) => `ken: ${file} cannot be read: permission denied.\n${CHECK}`;
  for (const words of [['ls'], ['search', 'stays'], ['doctor']])
    expect(await nobody(['ref', ...words])).toEqual({ code: 1, stdout: '', stderr: denied(library) });
  for (const words of [
    ['show', 'good'],
    ['refresh', 'good'],
    ['update', 'good', '--tag', 'x'],
    ['export', 'good', 'x'],
  ])
    expect(await nobody(['ref', ...words])).toEqual({
      code: 1,
      stdout: '',
      stderr: denied(path.join(library, 'good')),
    });
  expect(await nobody(['ref', 'reindex'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^ken: .*references\/\.writer\.lock cannot be made: permission denied\.\nhint: /,
    ),
  });
});

it.for(['topic.md', 'lock.jsonl', 'files'])(
  'a topic whose %s may not be read disables itself alone',
  async (name, context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can become somebody else');
    const { nobody, library } = await nobodysLibrary();
    chmodSync(path.join(library, 'bad', name), 0);
    const warning = `warning: topic-bad is left out: ${name} cannot be read: permission denied.\n`;
    expect(await nobody(['ref', 'ls'])).toMatchObject({ code: 0, stderr: warning });
    expect(await nobody(['ref', 'reindex'])).toMatchObject({ code: 0, stderr: '1 topic, 1 chunk.\n' });
    expect(await nobody(['ref', 'search', 'readable'])).toMatchObject({ code: 0, stderr: '' });
    expect(await nobody(['ref', 'refresh', 'bad'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `ken: topic-bad cannot be used: ${name} cannot be read: permission denied.\n` +
        'hint: Repair it, or delete it with "ken ref delete topic-bad".\n',
    });
    expect(JSON.parse((await nobody(['ref', 'doctor', '--json'])).stdout).findings).toMatchObject([
      { topic_id: 'topic-bad', problem: `${name} cannot be read: permission denied` },
    ]);
  },
);

it('a file that may not be read is left out of the index, named by doctor and fetched again by refresh', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can become somebody else');
  const { nobody, library } = await nobodysLibrary();
  const file = path.join(library, 'bad/files/b.md');
  chmodSync(file, 0);
  expect(await nobody(['ref', 'reindex'])).toMatchObject({ code: 0, stderr: '1 topic, 1 chunk.\n' });
  expect(await nobody(['ref', 'search', '"may read"'])).toMatchObject({ code: 1 });
  expect(JSON.parse((await nobody(['ref', 'doctor', '--json'])).stdout).findings).toMatchObject([
    { topic_id: 'topic-bad', problem: 'b.md is not what was fetched, and so not searched' },
  ]);
  expect(await nobody(['ref', 'export', 'bad', 'out'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `ken: ${file} cannot be read: permission denied.\n${CHECK}`,
  });
  expect(await nobody(['ref', 'refresh', 'bad'])).toEqual({
    code: 0,
    stdout: 'topic-bad: 1 changed\n  ~ b.md\n',
    stderr: '',
  });
  expect(await nobody(['ref', 'search', '"may read"'])).toMatchObject({ code: 0 });
  rmSync(file);
});
