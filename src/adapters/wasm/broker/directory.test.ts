import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemAnchoring } from '../../paths/anchor.ts';
import { FileError } from '../wire/error.ts';
import { Descriptor } from './descriptor.ts';
import { descriptorType } from './file-facts.ts';
import { openGranted } from './grant.ts';
import { OpenHandles, Usage } from './guest-files.ts';

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

function root(): Descriptor {
  const files = { handles: new OpenHandles(), usage: new Usage() };
  onTestFinished(() => files.handles.closeAll());
  const granted = { guestPath: '/w', hostPath: path.join(tree, 'inside'), access: 'write' } as const;
  const directory = openGranted(files.handles, granted, {
    anchoring: systemAnchoring,
    linkedPlaces: () => [],
  });
  if (!directory) throw new Error('nothing was granted');
  return new Descriptor(files, directory);
}

const TO_READ = {
  how: { create: false, directory: false, exclusive: false, truncate: false },
  wanted: { read: true, write: false, mutateDirectory: false },
};

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
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), (parts, follow) => {
      try {
        const opened = directory.open({ handle: 0, path: parts.join('/'), follow, ...TO_READ });
        try {
          expect(Buffer.from(opened.file().read(10, 0n)).toString()).toBe('mine');
        } finally {
          opened.release();
        }
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
  const found = root().statAt({ path: name, follow: true });
  expect(descriptorType(found)).toBe(type);
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
  expect(() => root().statAt({ path: name, follow: true })).toThrow(
    expect.objectContaining({ payload: code }),
  );
});
