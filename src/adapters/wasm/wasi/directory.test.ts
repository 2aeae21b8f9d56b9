import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { isProtectedName } from './directory.ts';
import { FileError } from './error.ts';
import { createWasi } from './wasi.ts';

function makeTree(): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-walk-')));
  mkdirSync(path.join(root, 'inside/a/b'), { recursive: true });
  writeFileSync(path.join(root, 'secret'), 'SECRET');
  writeFileSync(path.join(root, 'inside/a/secret'), 'mine');
  for (const [name, target] of [
    ['up', '..'],
    ['a/up', '../..'],
    ['a/b/round', '../../a'],
    ['a/b/absolute', root],
    ['self', 'self'],
    ['down', 'a/b'],
  ] as const) {
    symlinkSync(target, path.join(root, 'inside', name));
  }
  return root;
}

let tree = '';
beforeAll(() => {
  tree = makeTree();
  return () => rmSync(tree, { recursive: true, force: true });
});

interface Root {
  openAt(flags: object, path: string, how: object, wanted: object): OpenedFile;
  statAt(flags: object, path: string): { type: string };
}

interface OpenedFile extends Disposable {
  read(length: bigint, offset: bigint): [Uint8Array, boolean];
}

function root(): Root {
  const wasi = createWasi({ outputBytes: 1 });
  wasi.grant([{ guestPath: '/w', hostPath: path.join(tree, 'inside'), access: 'write' }]);
  onTestFinished(() => wasi.close());
  const getDirectories = wasi.imports['wasi:filesystem/preopens']?.getDirectories as () => [Root, string][];
  const [[directory] = []] = getDirectories();
  if (!directory) throw new Error('nothing was granted');
  return directory;
}

it('answers no path with anything outside, however it is put together', () => {
  const directory = root();
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'b',
    'up',
    'down',
    'round',
    'absolute',
    'self',
    'secret',
    'inside',
    'a/..',
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), (parts, symlinkFollow) => {
      try {
        using opened = directory.openAt({ symlinkFollow }, parts.join('/'), {}, { read: true });
        const [bytes] = opened.read(10n, 0n);
        expect(Buffer.from(bytes).toString()).toBe('mine');
      } catch (error) {
        expect(error).toBeInstanceOf(FileError);
        expect(error).not.toMatchObject({ payload: 'insufficient-memory' });
      }
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['a/secret', 'regular-file'],
  ['./a/./secret', 'regular-file'],
  ['a//secret', 'regular-file'],
  ['a/b/../secret', 'regular-file'],
  ['a/b/round/secret', 'regular-file'],
  ['down/../secret', 'regular-file'],
  ['.', 'directory'],
  ['a/', 'directory'],
  ['a/b/..', 'directory'],
  ['down/', 'directory'],
])('finds %s', (name, type) => {
  expect(root().statAt({ symlinkFollow: true }, name).type).toBe(type);
});

it.each([
  ['', 'no-entry'],
  ['nothing', 'no-entry'],
  ['a/nothing/..', 'no-entry'],
  ['a/secret/', 'not-directory'],
  ['a/secret/..', 'not-directory'],
  ['..', 'not-permitted'],
  ['/', 'not-permitted'],
  ['up/secret', 'not-permitted'],
  ['a/up/secret', 'not-permitted'],
  ['a/b/absolute/secret', 'not-permitted'],
  ['self', 'loop'],
  ['a\0b', 'invalid'],
  ['x'.repeat(300), 'name-too-long'],
  ['x/'.repeat(3000), 'name-too-long'],
])('refuses %j', (name, code) => {
  expect(() => root().statAt({ symlinkFollow: true }, name)).toThrow(
    expect.objectContaining({ payload: code }),
  );
});

it.each(['.git', '.ken', '.GIT', '.Ken', '.g\u200bit', '.\u200cgit', '.git\ufeff', '．git'])(
  'protects %j',
  (name) => {
    expect(isProtectedName(name)).toBe(true);
  },
);

it.each(['git', '.github', '.gitignore', '.kenya', '..git', 'a.git', '.gi t'])('leaves %j alone', (name) => {
  expect(isProtectedName(name)).toBe(false);
});
