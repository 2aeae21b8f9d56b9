import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const CONFIG = '[kb.topic.t]\nsubjects = "t"\n';
const isRoot = process.getuid?.() === 0;

function topic(files: Readonly<Record<string, string | Uint8Array>>, config = CONFIG): Sandbox {
  const box = sandboxHere(config);
  mkdirSync(path.join(box.root, 't'));
  for (const [name, content] of Object.entries(files)) box.write(`t/${name}`, content);
  return box;
}

const learn = async ({ ken }: Sandbox, ...words: string[]) => ken(['learn', 't', ...words]);
const NOTHING = '# Topic: t\n\n## Available subjects:\n\n(none)\n';

it('a directory that vanished is an empty topic', async () => {
  const box = sandboxHere(CONFIG);
  expect(await learn(box)).toEqual({ code: 0, stdout: NOTHING, stderr: '' });
  expect(await learn(box, 'x')).toMatchObject({ code: 3 });
  expect(await box.ken(['kb', 'prompt'])).toMatchObject({ code: 0, stdout: '' });
  expect(await box.ken(['kb', 'check'])).toEqual({
    code: 6,
    stdout: 't: t does not exist [directory]\n',
    stderr: '',
  });
});

it('a subject that is a directory is none', async () => {
  const box = topic({ 'd.md/inside.md': 'inside' });
  expect((await learn(box, '**')).stdout).toBe('<subject "d.md/inside">\ninside\n</subject>\n');
  expect(await learn(box, 'd')).toMatchObject({ code: 3 });
});

it('a pipe is never waited for', async () => {
  const box = topic({ 'a.md': 'A\n' });
  execFileSync('mkfifo', [path.join(box.root, 't/pipe.md')]);
  expect((await learn(box, '**')).stdout).toBe('<subject "a">\nA\n</subject>\n');
  expect(await learn(box, 'pipe')).toMatchObject({ code: 3 });
  expect(await box.ken(['kb', 'check'])).toMatchObject({
    code: 6,
    stdout: 't: pipe.md is neither a file nor a directory [skipped-file]\n',
  });
});

it('files that are no text are named, and the rest still loads', async () => {
  const box = topic({
    'binary.md': new Uint8Array([0x61, 0, 0x62]),
    'good.md': 'good\n',
    'latin.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
  });
  expect(await learn(box, '**')).toEqual({
    code: 0,
    stdout: [
      '(subject "binary" was skipped: it is a binary file)',
      '<subject "good">\ngood\n</subject>',
      '(subject "latin" was skipped: it is not valid UTF-8)\n',
    ].join('\n\n'),
    stderr: '',
  });
  expect(await learn(box, 'binary')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ken: The subject "binary" was skipped: it is a binary file.\n',
  });
});

it('fifty megabytes are cut, and say so', async () => {
  const box = topic({ 'huge.md': Buffer.alloc(50 * 1024 * 1024, 'line\n') });
  const { stdout } = await learn(box, 'huge');
  expect(stdout.length).toBeLessThan(262_144 + 100);
  expect(stdout.slice(-60)).toBe('ne\nline\n(cut: the first 262144 of 52428800 bytes are shown)\n');
  expect(await box.ken(['kb', 'check'])).toMatchObject({
    stdout: 't/huge: it has 52428800 bytes, and only 262144 are shown [oversize]\n',
  });
});

it('links that lead back end', async () => {
  const box = topic({ 'a/x.md': 'x\n' });
  symlinkSync('..', path.join(box.root, 't/a/up'));
  symlinkSync('loop.md', path.join(box.root, 't/loop.md'));
  symlinkSync('a/x.md', path.join(box.root, 't/same.md'));
  expect((await learn(box, '**')).stdout).toBe(
    '<subject "a/x">\nx\n</subject>\n\n<subject "same">\nx\n</subject>\n',
  );
});

it('any name can be listed and learned as it is listed', async () => {
  const names = [
    '#1.md',
    '..two.md',
    'a..b',
    'line\nend.md',
    'ünï 🚀.md',
    'quo"te.md',
    '-flag.md',
    '*.md',
    '$HOME.md',
    '\u001b[31mred.md',
  ];
  const box = topic(Object.fromEntries(names.map((name) => [name, `this is ${JSON.stringify(name)}\n`])));
  const { stdout } = await learn(box);
  const slugs = ['#1', '$HOME', '*', '-flag', '\\u{1B}[31mred', 'a.', 'line\\u{A}end', 'quo"te', 'ünï 🚀'];
  expect(stdout).toContain(`\n\n${slugs.map((slug) => `- ${slug}`).join('\n')}\n\n`);
  for (const [slug, name] of [
    ['#1', '#1.md'],
    ['line\\u{A}end', 'line\nend.md'],
    ['two', '..two.md'],
    ['*', '*.md'],
    ['ünï 🚀', 'ünï 🚀.md'],
  ] as const) {
    expect((await learn(box, slug)).stdout).toBe(`this is ${JSON.stringify(name)}\n`);
  }
  expect((await box.ken(['learn', 't', '--', '-flag'])).stdout).toBe('this is "-flag.md"\n');
});

it('a name that is not UTF-8 is passed over', async () => {
  const box = topic({ 'a.md': 'A\n' });
  const name = Buffer.concat([Buffer.from(`${box.root}/t/`), Buffer.from([0xff, 0xfe, 0x2e, 0x6d, 0x64])]);
  try {
    writeFileSync(name, 'x');
  } catch {
    return; // This file system takes UTF-8 names only.
  }
  expect((await learn(box, '**')).stdout).toBe('<subject "a">\nA\n</subject>\n');
  expect(await box.ken(['kb', 'check'])).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('not UTF-8 [skipped-file]'),
  });
});

it('forty levels are no problem', async () => {
  const deep = 'd/'.repeat(40);
  const box = topic({ [`${deep}x.md`]: 'deep\n' });
  expect((await learn(box, `${deep}x`)).stdout).toBe('deep\n');
  expect((await learn(box, '**/x')).stdout).toBe(`<subject "${deep}x">\ndeep\n</subject>\n`);
});

it.each([
  ['empty', {}, ''],
  ['all learned', { 'a.md': 'A' }, 'learned = ["**"]\n'],
  ['all disabled', { 'a.md': 'A', '.b.md': 'B' }, 'disabled = ["**"]\n'],
])('a topic with nothing left to learn says so: %s', async (_, files, settings) => {
  const box = topic(files, `${CONFIG}${settings}`);
  const { code, stdout } = await learn(box);
  expect({ code, stdout: stdout.slice(0, NOTHING.length - 1) }).toEqual({
    code: 0,
    stdout: NOTHING.trimEnd(),
  });
  const { stdout: prompt } = await box.ken(['kb', 'prompt', '-q']);
  expect(prompt).not.toContain('available to learn');
});

it.skipIf(!isRoot)('a file that may not be read is named, and the rest still loads', async () => {
  const box = topic({ 'closed.md': 'secret', 'good.md': 'good\n', 'locked/x.md': 'secret' });
  chmodSync(path.join(box.root, 't/closed.md'), 0);
  chmodSync(path.join(box.root, 't/locked'), 0);
  giveAway(path.dirname(box.root));
  expect(await box.ken(['learn', 't', '*'], { asNobody: true })).toEqual({
    code: 0,
    stdout: '(subject "closed" was skipped: it cannot be read)\n\n<subject "good">\ngood\n</subject>\n',
    stderr: '',
  });
  expect(await box.ken(['kb', 'check'], { asNobody: true })).toMatchObject({
    code: 6,
    stdout: 't: locked cannot be read [skipped-file]\nt/closed: it cannot be read [unreadable]\n',
  });
});

/** To whoever `asNobody` runs as: ken looks only at a workspace of the caller's own. */
function giveAway(directory: string): void {
  chownSync(directory, 65534, 65534);
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    chownSync(path.join(directory, entry), 65534, 65534);
  }
}
