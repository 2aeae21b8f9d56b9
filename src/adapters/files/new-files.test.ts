import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { temporaryName } from '../paths/change-directory.ts';
import { newFilesOnDisk } from './new-files.ts';

const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');

it('creates files with the directories they need', async () => {
  const root = path.join(temporaryDirectory(), 'a/b');
  await newFilesOnDisk.create(root, [
    { path: 'x.md', content: 'x' },
    { path: 'c/d/y.md', content: new Uint8Array([0x79]) },
  ]);
  expect([read(root, 'x.md'), read(root, 'c/d/y.md')]).toEqual(['x', 'y']);
  await newFilesOnDisk.create(root, []);
});

it('makes the directory of a file from parts, as of any other', async () => {
  const root = temporaryDirectory();
  await newFilesOnDisk.createInParts(path.join(root, 'out/here'), 'a.txt', async (add) =>
    add(Buffer.from('x')),
  );
  expect(read(root, 'out/here/a.txt')).toBe('x');
});

it('creates a file from parts, and nothing when one of them fails or the name is taken', async () => {
  const root = temporaryDirectory();
  const put = (...parts: string[]) =>
    newFilesOnDisk.createInParts(root, 'a.txt', async (add) => {
      for (const part of parts) add(Buffer.from(part));
      if (parts.includes('fail')) throw new Error('no more');
      // Nobody sees it before it is whole.
      expect(existsSync(path.join(root, 'a.txt'))).toBe(false);
    });
  await expect(put('x', 'fail')).rejects.toThrow('no more');
  expect(readdirSync(root)).toEqual([]);
  await put('one ', '', 'two');
  expect([readdirSync(root), read(root, 'a.txt')]).toEqual([['a.txt'], 'one two']);
  const left = path.join(root, temporaryName().replace(`-${process.pid}-`, '-4194304-'));
  writeFileSync(left, 'half');
  await expect(put('other')).rejects.toMatchObject({ code: 'files/exists' });
  expect(existsSync(left)).toBe(false);
  const late = newFilesOnDisk.createInParts(root, 'b.txt', async () =>
    writeFileSync(path.join(root, 'b.txt'), 'first'),
  );
  await expect(late).rejects.toMatchObject({ code: 'files/exists' });
  expect([readdirSync(root), read(root, 'b.txt')]).toEqual([['a.txt', 'b.txt'], 'first']);
});

it('removes what a killed command left, also where nothing is written', async () => {
  const root = temporaryDirectory();
  const files = [
    { path: 'a.md', content: 'a' },
    { path: 'c/b.md', content: 'b' },
  ];
  await newFilesOnDisk.create(root, files);
  const left = path.join(root, 'c', temporaryName().replace(`-${process.pid}-`, '-4194304-'));
  for (const keepsEqual of [true, false]) {
    writeFileSync(left, 'half');
    const created = newFilesOnDisk.create(root, files, { keepsEqual });
    await (keepsEqual ? created : expect(created).rejects.toMatchObject({ code: 'files/exists' }));
    expect(existsSync(left)).toBe(false);
  }
});

it('writes nothing when one name is taken', async () => {
  const root = temporaryDirectory();
  writeFileSync(path.join(root, 'b.md'), 'old');
  const files = [
    { path: 'a.md', content: 'new' },
    { path: 'b.md', content: 'new' },
  ];
  await expect(newFilesOnDisk.create(root, files)).rejects.toMatchObject({ code: 'files/exists' });
  expect([existsSync(path.join(root, 'a.md')), read(root, 'b.md')]).toEqual([false, 'old']);
});

it.each([['link/x.md'], ['link/deeper/x.md'], ['broken/x.md'], ['../x.md'], ['/x.md'], ['a/../../x.md']])(
  'does not leave the directory by %s',
  async (name) => {
    const base = temporaryDirectory();
    const root = path.join(base, 'in');
    mkdirSync(root);
    mkdirSync(path.join(base, 'in-the-way'));
    symlinkSync('../in-the-way', path.join(root, 'link'));
    symlinkSync('../nowhere', path.join(root, 'broken'));
    await expect(newFilesOnDisk.create(root, [{ path: name, content: 'x' }])).rejects.toMatchObject({
      name: 'KenError',
    });
    expect(existsSync(path.join(base, 'nowhere'))).toBe(false);
    expect(existsSync(path.join(base, 'in-the-way/x.md'))).toBe(false);
    expect(existsSync(path.join(base, 'in-the-way/deeper'))).toBe(false);
  },
);

it('writes nothing when one name is behind a link that leaves', async () => {
  const root = path.join(temporaryDirectory(), 'in');
  mkdirSync(root);
  symlinkSync('..', path.join(root, 'up'));
  const files = ['a.md', 'up/b.md'].map((name) => ({ path: name, content: 'x' }));
  await expect(newFilesOnDisk.create(root, files)).rejects.toMatchObject({ code: 'files/unwritable' });
  expect(existsSync(path.join(root, 'a.md'))).toBe(false);
});

it('does not write through a link that has the name', async () => {
  const root = temporaryDirectory();
  symlinkSync('elsewhere.md', path.join(root, 'a.md'));
  await expect(newFilesOnDisk.create(root, [{ path: 'a.md', content: 'x' }])).rejects.toMatchObject({
    code: 'files/exists',
  });
  expect(existsSync(path.join(root, 'elsewhere.md'))).toBe(false);
});

it('makes a directory, and leaves one that is there', async () => {
  const root = temporaryDirectory();
  await newFilesOnDisk.makeDirectory(root, 'a/b');
  writeFileSync(path.join(root, 'a/b/c.md'), 'kept');
  await newFilesOnDisk.makeDirectory(root, 'a/b');
  expect(read(root, 'a/b/c.md')).toBe('kept');
});

it('replaces a file only while it holds the text that was expected', async () => {
  const root = temporaryDirectory();
  await newFilesOnDisk.create(root, [{ path: 'a.md', content: 'one\n' }]);
  const replace = (text: string, holds: string) =>
    newFilesOnDisk.replace(root, 'a.md', new TextEncoder().encode(text), { holds });

  await replace('two\n', 'one\n');
  await expect(replace('three\n', 'one\n')).rejects.toMatchObject({
    code: 'files/exists',
    message: `${root}/a.md has changed in the meantime.`,
  });

  expect(readFileSync(path.join(root, 'a.md'), 'utf8')).toBe('two\n');
});
