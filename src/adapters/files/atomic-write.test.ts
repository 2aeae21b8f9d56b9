import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createExclusive, writeAtomically } from './atomic-write.ts';

async function directory(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'ken-write-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o7777;

it('replaces the content, keeps the mode and leaves nothing beside it', async () => {
  const root = await directory();
  const file = path.join(root, 'a.txt');
  await writeFile(file, 'old');
  await chmod(file, 0o640);

  await writeAtomically(file, 'new', { mode: 0o600 });

  expect(await readFile(file, 'utf8')).toBe('new');
  expect(await modeOf(file)).toBe(0o640);
  expect(await readdir(root)).toEqual(['a.txt']);
});

it('creates a file with the mode asked for, even under the longest name', async () => {
  const root = await directory();
  const name = `${'n'.repeat(251)}.txt`;
  await writeAtomically(path.join(root, name), new Uint8Array([0, 255]), { mode: 0o600 });
  expect(await readFile(path.join(root, name))).toEqual(Buffer.from([0, 255]));
  expect(await modeOf(path.join(root, name))).toBe(0o600);
});

it('lets readers see a whole content only', async () => {
  const file = path.join(await directory(), 'a.txt');
  const contents = ['a', 'b'].map((letter) => letter.repeat(300_000));
  await writeAtomically(file, contents[0] ?? '');
  const writes = Array.from({ length: 20 }, (_, turn) => writeAtomically(file, contents[turn % 2] ?? ''));
  let isWriting = true;
  const done = Promise.all(writes).then(() => {
    isWriting = false;
  });
  let reads = 0;
  while (isWriting) {
    expect(contents).toContain(await readFile(file, 'utf8'));
    reads += 1;
  }
  await done;
  expect(reads).toBeGreaterThan(0);
});

it('refuses what a rename would destroy', async () => {
  const root = await directory();
  const inner = path.join(root, 'inner');
  await mkdir(inner);
  await expect(writeAtomically(inner, 'x')).rejects.toMatchObject({
    code: 'files/unwritable',
    message: `Cannot write ${inner}: it is a directory.`,
    hint: 'Name a regular file.',
  });
  await expect(writeAtomically('/dev/null', 'x')).rejects.toMatchObject({
    message: 'Cannot write /dev/null: it is a device.',
  });
  expect(await readdir(root)).toEqual(['inner']);
});

it('writes through a symbolic link only when told to', async () => {
  const root = await directory();
  const [file, link, dangling] = ['real.txt', 'link.txt', 'dangling.txt'].map((name) =>
    path.join(root, name),
  );
  if (!file || !link || !dangling) throw new Error('unreachable');
  await writeFile(file, 'old');
  await symlink('real.txt', link);
  await symlink('nowhere/at/all', dangling);

  await expect(writeAtomically(link, 'x')).rejects.toMatchObject({
    message: `Cannot write ${link}: it is a symbolic link.`,
  });
  expect(await readFile(file, 'utf8')).toBe('old');

  await writeAtomically(link, 'new', { follow: 'all' });
  expect(await readFile(file, 'utf8')).toBe('new');
  await expect(writeAtomically(dangling, 'x', { follow: 'all' })).rejects.toMatchObject({
    code: 'files/not-found',
  });
  await writeAtomically(path.join(root, 'fresh.txt'), 'x', { follow: 'all' });
  expect((await readdir(root)).sort()).toEqual(['dangling.txt', 'fresh.txt', 'link.txt', 'real.txt']);
});

it.each([
  [
    'missing/a.txt',
    'files/not-found',
    'its directory does not exist',
    (root: string) => `Create ${root}/missing first.`,
  ],
  [
    'plain/a.txt',
    'files/unwritable',
    'a part of its path is not a directory',
    (root: string) => `Check the path ${root}/plain.`,
  ],
  ['n'.repeat(300), 'files/unwritable', 'the name is too long', () => 'Use a shorter name.'],
])('says what is wrong with %s', async (name, code, problem, hint) => {
  const root = await directory();
  await writeFile(path.join(root, 'plain'), '');
  const file = path.join(root, name);
  for (const write of [writeAtomically, createExclusive]) {
    await expect(write(file, 'x')).rejects.toMatchObject({
      code,
      message: `Cannot write ${file}: ${problem}.`,
      hint: hint(root),
    });
  }
  expect(await readdir(root)).toEqual(['plain']);
});

it('creates only what is not there, however many try', async () => {
  const root = await directory();
  const file = path.join(root, 'a.txt');
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, (_, turn) => createExclusive(file, `writer ${turn}`, { mode: 0o600 })),
  );
  const winner = tries.findIndex(({ status }) => status === 'fulfilled');
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const attempt of tries.filter((one) => one.status === 'rejected')) {
    expect(attempt.reason).toMatchObject({
      code: 'files/exists',
      message: `Cannot write ${file}: it exists already.`,
      hint: 'Use another name, or remove it first.',
    });
  }
  expect(await readFile(file, 'utf8')).toBe(`writer ${winner}`);
  expect(await modeOf(file)).toBe(0o600);
  expect(await readdir(root)).toEqual(['a.txt']);
});

it('does not create over a symbolic link', async () => {
  const root = await directory();
  await symlink('elsewhere.txt', path.join(root, 'link.txt'));
  await expect(createExclusive(path.join(root, 'link.txt'), 'x')).rejects.toMatchObject({
    code: 'files/exists',
  });
  expect(await readdir(root)).toEqual(['link.txt']);
});
