import { linkSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import type { GitContent } from '../../domain/references/sources/git-reader.ts';
import { localDirectories } from './local-directories.ts';

const LIMITS = { maxFiles: 10, maxBytes: 1000 };

function place(limits = LIMITS) {
  const root = temporaryDirectory();
  const write = (name: string, content: string) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const open = () => localDirectories(path.dirname(root), limits).open(path.basename(root));
  return { root, write, open };
}

async function contents(tree: Awaited<ReturnType<ReturnType<typeof place>['open']>>, maxFileBytes = 100) {
  const files = tree.files.filter(({ mode }) => mode.startsWith('100'));
  const all: GitContent[] = [];
  for await (const content of tree.read(files, { maxFileBytes })) all.push(content);
  return all.map(({ file, sizeBytes, bytes, isUnreadable }) => [
    file.path,
    isUnreadable ? 'unreadable' : sizeBytes,
    bytes && new TextDecoder().decode(bytes),
  ]);
}

it('lists what is below, links as links, and no repository of its own', async () => {
  const { root, write, open } = place();
  write('docs/a.md', 'a');
  write('b.md', 'bb');
  write('.git/config', 'x');
  symlinkSync('/etc/passwd', path.join(root, 'link'));
  symlinkSync('/etc', path.join(root, 'up'));
  const tree = await open();
  expect(tree.commit).toBe('');
  expect(tree.files.map(({ path: name, mode }) => [name, mode])).toEqual([
    ['b.md', '100644'],
    ['docs/a.md', '100644'],
    ['link', '120000'],
    ['up', '120000'],
  ]);
  expect(await contents(tree, 1)).toEqual([
    ['b.md', 2, undefined],
    ['docs/a.md', 1, 'a'],
  ]);
});

it('leaves out what a workspace keeps for its owner alone', async () => {
  const { root, write, open } = place();
  for (const name of ['conversations/a/events.jsonl', 'repair/x.md', 'cache/x.md', 'config.local.toml'])
    for (const home of ['.ken', 'sub/.ken']) write(`${home}/${name}`, 'x');
  for (const name of ['.ken/kb/a.md', '.ken/config.toml', 'conversations/b.md', 'config.local.toml'])
    write(name, 'x');
  const { files } = await open();
  const names = files.map((file) => file.path);
  expect(names).toEqual(['.ken/config.toml', '.ken/kb/a.md', 'config.local.toml', 'conversations/b.md']);
  const own = await localDirectories(root, LIMITS).open('.ken');
  expect(own.files.map((file) => file.path)).toEqual(['config.toml', 'kb/a.md']);
});

it('tells states of files apart whose time and size are the same', async () => {
  const { write, open } = place();
  const time = new Date('1985-10-26T08:15:00Z');
  const put = (name: string, content: string) => utimesSync(write(name, content), time, time);
  put('a.md', 'one');
  put('b.md', 'two');
  const [a, b] = (await open()).files;
  expect((await open()).files).toEqual([a, b]);
  expect(a?.oid).not.toBe(b?.oid);
  put('a.md', 'six');
  const [after, same] = (await open()).files;
  expect(after?.oid).not.toBe(a?.oid);
  expect(same).toEqual(b);
});

it('a file that is gone, or a link meanwhile, is unreadable and no other', async () => {
  const { root, write, open } = place();
  for (const name of ['gone', 'link', 'same']) write(name, name);
  const tree = await open();
  rmSync(path.join(root, 'gone'));
  rmSync(path.join(root, 'link'));
  symlinkSync('/etc/passwd', path.join(root, 'link'));
  expect(await contents(tree)).toEqual([
    ['gone', 'unreadable', undefined],
    ['link', 'unreadable', undefined],
    ['same', 4, 'same'],
  ]);
});

it('says which limit it is, and how to take less', async () => {
  const { root, write, open } = place({ maxFiles: 2, maxBytes: 5 });
  write('a', 'aaa');
  write('b', 'bb');
  expect(await contents(await open())).toHaveLength(2);
  write('b', 'bbb');
  await expect(open().then((tree) => contents(tree))).rejects.toMatchObject({
    code: 'references/too-large',
    message: `${root}: more than 5 bytes, which is the limit.`,
    hint: 'Import a directory further below, or raise references.max_bytes.',
  });
  linkSync(path.join(root, 'a'), path.join(root, 'c'));
  await expect(open().then((tree) => contents(tree))).rejects.toMatchObject({
    message: `${root}: 3 files, and the limit is 2.`,
    hint: 'Import a directory further below, or raise references.max_files.',
  });
});

it('a directory that is none is a fault', async () => {
  const { root, write } = place();
  const file = write('a', 'a');
  const directories = localDirectories(root, LIMITS);
  await expect(directories.open('none')).rejects.toMatchObject({ code: 'files/not-found' });
  await expect(directories.open(file)).rejects.toMatchObject({ code: 'files/unreadable' });
});
