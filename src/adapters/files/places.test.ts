import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { places } from './places.ts';
import { STARTER_FILES } from './starter-files.ts';

const GITIGNORE = '.ken/.gitignore';
const SUBJECT = '.ken/kb/project/writing-subjects.md';
const CONFIG = '.ken/config.toml';

it('makes a workspace, and the directory if need be', async () => {
  const root = path.join(temporaryDirectory(), 'new', 'garden');
  const made = await places.makeWorkspace(root);
  expect(made).toEqual({
    root,
    home: path.join(root, '.ken'),
    created: [GITIGNORE, SUBJECT, CONFIG],
    kept: [],
  });
  for (const { name, content } of STARTER_FILES)
    expect(readFileSync(path.join(root, '.ken', name), 'utf8')).toBe(content);
});

it('adds what is missing and changes nothing that is there', async () => {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, '.ken'));
  writeFileSync(path.join(root, CONFIG), '# mine\n');
  expect(await places.makeWorkspace(root)).toMatchObject({ created: [GITIGNORE], kept: [CONFIG] });
  expect(await places.makeWorkspace(root)).toMatchObject({ created: [], kept: [GITIGNORE, CONFIG] });
  expect(readFileSync(path.join(root, CONFIG), 'utf8')).toBe('# mine\n');
  expect(readdirSync(path.join(root, '.ken')).sort()).toEqual(['.gitignore', 'config.toml']);
});

it('finishes what an interrupted run began', async () => {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, '.ken/kb/project'), { recursive: true });
  expect(await places.makeWorkspace(root)).toMatchObject({ created: [GITIGNORE, SUBJECT, CONFIG] });
});

it('writes through no link', async () => {
  const root = temporaryDirectory();
  const victim = path.join(root, 'victim');
  mkdirSync(path.join(root, '.ken'));
  symlinkSync(victim, path.join(root, CONFIG));
  expect(await places.makeWorkspace(root)).toMatchObject({ created: [GITIGNORE], kept: [CONFIG] });
  expect(readdirSync(root)).toEqual(['.ken']);
});

it('follows no link on the way to a file', async () => {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, '.ken'));
  mkdirSync(path.join(root, 'elsewhere'));
  symlinkSync(path.join(root, 'elsewhere'), path.join(root, '.ken/kb'));
  await expect(places.makeWorkspace(root)).rejects.toMatchObject({ code: 'files/exists' });
  expect(readdirSync(path.join(root, 'elsewhere'))).toEqual([]);
});

it.each([
  ['a file', (home: string) => writeFileSync(home, ''), 'is not a directory.'],
  ['a link', (home: string) => symlinkSync('/', home), 'is a symbolic link, which ken does not follow.'],
  [
    'a dangling link',
    (home: string) => symlinkSync('/none', home),
    'is a symbolic link, which ken does not follow.',
  ],
])('refuses %s in the place of .ken', async (_, put, problem) => {
  const root = temporaryDirectory();
  const home = path.join(root, '.ken');
  put(home);
  await expect(places.makeWorkspace(root)).rejects.toMatchObject({
    code: 'files/exists',
    message: `${home} ${problem}`,
  });
});

it('refuses a file in the place of the directory', async () => {
  const file = path.join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  await expect(places.makeWorkspace(file)).rejects.toMatchObject({ code: 'files/exists' });
  await expect(places.makeWorkspace(path.join(file, 'below'))).rejects.toMatchObject({
    code: 'files/unwritable',
  });
});

it('tells whether a directory can be written to, also one that is not there yet', async () => {
  const root = temporaryDirectory();
  writeFileSync(path.join(root, 'file'), '');
  expect(await places.whyNotWritable(root)).toBeUndefined();
  expect(await places.whyNotWritable(path.join(root, 'a/b/c'))).toBeUndefined();
  expect(await places.whyNotWritable(path.join(root, 'file/below'))).toBe(`${root}/file is not a directory`);
});
