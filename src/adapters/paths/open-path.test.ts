import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { makeDirectories, namesIn, remove } from './change-directory.ts';
import { inListedDirectory, openFile, openListedFileIn, readPlainFile, statPlain } from './open-path.ts';
import { linkFreePath } from './real-path.ts';

function place() {
  const root = temporaryDirectory();
  const inside = path.join(root, 'inside');
  mkdirSync(path.join(inside, 'directory'), { recursive: true });
  mkdirSync(path.join(root, 'outside'));
  writeFileSync(path.join(inside, 'directory/file'), 'inside');
  writeFileSync(path.join(root, 'outside/file'), 'outside');
  return { root, inside, at: (relative: string) => path.join(inside, relative) };
}

const read = (file: string) => String(readPlainFile(file, 100));

it('reads a plain file, and undefined where there is none', () => {
  const { at } = place();
  expect([read(at('directory/file')), read(at('directory/none')), read(at('none/file'))]).toEqual([
    'inside',
    'undefined',
    'undefined',
  ]);
  expect(readPlainFile(at('directory/file'), 5)).toBe('too-large');
});

it.each([
  ['link', 'link'],
  ['linked/file', 'linked'],
  ['directory/up/file', 'directory/up'],
])('refuses a link anywhere on the way: %s', (name, link) => {
  const { at } = place();
  symlinkSync('directory/file', at('link'));
  symlinkSync('directory', at('linked'));
  symlinkSync('../../outside', at('directory/up'));
  const refusal = {
    code: 'files/refused',
    message: expect.stringContaining(`${at(link)} is a symbolic link`),
  };
  expect(() => read(at(name))).toThrow(expect.objectContaining(refusal));
  expect(() => openFile(at(name), { flags: 0o101 })).toThrow(expect.objectContaining(refusal));
});

it('waits at no pipe and opens no device, socket or directory', async () => {
  const { at } = place();
  execFileSync('mkfifo', [at('pipe')]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
  for (const [file, kind] of [
    [at('pipe'), 'a pipe'],
    [at('socket'), 'a socket'],
    [at('directory'), 'a directory'],
    ['/dev/zero', 'a device'],
  ] as const)
    for (const flags of [0, 1, 2, 0o101, 0o2001])
      expect(() => openFile(file, { flags })).toThrow(`${file} is ${kind}, not a plain file.`);
  await new Promise((resolve) => server.close(resolve));
});

it('notices that a directory it used a moment ago was replaced', () => {
  const { root, at } = place();
  expect(read(at('directory/file'))).toBe('inside');
  renameSync(at('directory'), at('moved'));
  symlinkSync(path.join(root, 'outside'), at('directory'));
  expect(() => read(at('directory/file'))).toThrow('is a symbolic link');
  rmSync(at('directory'));
  mkdirSync(at('directory'));
  expect(read(at('directory/file'))).toBe('undefined');
});

it('keeps no descriptor for each file that it opens', () => {
  const { at } = place();
  const open = () => readdirSync('/proc/self/fd').length;
  read(at('directory/file'));
  const before = open();
  for (let count = 0; count < 50; count++) {
    closeSync(openFile(at('directory/file')));
    statPlain(at(`none-${count}`));
    expect(() => openFile(at('directory'))).toThrow('is a directory');
  }
  expect(open() - before).toBeLessThan(10);
});

it('makes, lists and removes directories through no link', () => {
  const { root, at } = place();
  makeDirectories(at('a/b/c'));
  makeDirectories(at('a/b/c'));
  expect(namesIn(at('a/b'))).toEqual(['c']);
  symlinkSync('../outside', at('out'));
  for (const change of [
    () => makeDirectories(at('out/new')),
    () => namesIn(at('out')),
    () => remove(at('out/file')),
  ])
    expect(change).toThrow('is a symbolic link');
  expect(readdirSync(path.join(root, 'outside'))).toEqual(['file']);
  remove(at('out'));
  remove(at('a'));
  expect(namesIn(at('.'))).toEqual(['directory']);
});

it.each([
  ['directory/file', 'directory/file'],
  ['directory/none', 'directory/none'],
  ['near', 'directory/file'],
  ['absolute', 'directory/file'],
  ['twice', 'directory/file'],
  ['out', undefined],
  ['through/inside/directory/file', undefined],
  ['directory/../../outside/file', undefined],
  ['../outside/file', undefined],
  ['/etc/passwd', undefined],
])('leads from %s to %s, or out', (name, expected) => {
  const { inside, at } = place();
  symlinkSync('directory/file', at('near'));
  symlinkSync(at('directory/file'), at('absolute'));
  symlinkSync('near', at('twice'));
  symlinkSync('../outside/file', at('out'));
  // It comes back, but leaves on the way.
  symlinkSync('..', at('through'));
  expect(linkFreePath(inside, name)).toBe(expected && at(expected));
});

it('ends where links lead in a circle', () => {
  const { inside, at } = place();
  symlinkSync('two', at('one'));
  symlinkSync('one', at('two'));
  expect(() => linkFreePath(inside, 'one')).toThrow('too many links');
});

const openListed = (directory: string, name: string) =>
  closeSync(inListedDirectory(directory, (anchor) => openListedFileIn(anchor, name)).descriptor);

it('refuses a listed name that is no plain file any more', () => {
  const { at } = place();
  execFileSync('mkfifo', [at('directory/pipe')]);
  symlinkSync('file', at('directory/link'));
  openListed(at('directory'), 'file');
  expect(() => openListed(at('directory'), 'pipe')).toThrow('is a pipe, not a plain file');
  expect(() => openListed(at('directory'), 'link')).toThrow('ELOOP');
});

it('looks up the directory of a listing again after each synchronous run', async () => {
  const { at } = place();
  openListed(at('directory'), 'file');
  renameSync(at('directory'), at('old'));
  symlinkSync('../outside', at('directory'));
  await Promise.resolve();
  expect(() => openListed(at('directory'), 'file')).toThrow('is a symbolic link');
});
