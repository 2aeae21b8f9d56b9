import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const root = path.join(import.meta.dirname, '../..');

interface Place {
  readonly home: string;
  /** Root of the package that is run. */
  readonly package?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function ken({ home, package: at = root, environment }: Place, ...words: string[]): string {
  return execFileSync(process.execPath, [path.join(at, 'bin/ken.cjs'), ...words], {
    // Not in the home: what lies in the directory that ken is run in is not believed.
    cwd: path.parse(home).root,
    env: { PATH: process.env.PATH ?? '', KEN_HOME: home, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function keptFiles(home: string): string[] {
  const directory = path.join(home, 'cache/compiled');
  return existsSync(directory) ? readdirSync(directory).map((name) => path.join(directory, name)) : [];
}

function keptBy(place: Place, ...words: string[]): string {
  ken(place, ...words);
  const [file = '', ...others] = keptFiles(place.home);
  expect(others).toEqual([]);
  return file;
}

const inode = (file: string) => statSync(file).ino;

it('keeps what one run compiled for the next, where nobody else can write', () => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const before = inode(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(ken(place, 'help')).toBe(ken(place, 'help'));
  expect(inode(file)).toBe(before);
});

it('learns from another way to run a command, but not without end', () => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const seen = new Set<number>();
  for (const name of ['init', 'kb', 'learn', 'c', 'k', 'ref', 'search', 'show', 'status', 'tools']) {
    ken(place, 'help', name);
    seen.add(inode(file));
  }
  expect(seen.size).toBeGreaterThan(1);
  const after = inode(file);
  ken(place, 'help', 'tools', '--quiet');
  expect(inode(file)).toBe(after);
});

/** The file holds its content twice, so that every place is compared in the same way. */
const DAMAGED = scaled(6, 24);

it('does not run what is damaged, and replaces it', () => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const [expected, whole] = [ken(place, 'help'), readFileSync(file)];
  const places = Array.from({ length: DAMAGED }, (_, at) => Math.floor((at * whole.length) / DAMAGED));
  for (const at of [...places, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
    writeFileSync(file, damaged);
    expect(ken(place, 'help')).toBe(expected);
    expect(readFileSync(file).equals(damaged)).toBe(false);
  }
  for (const cut of [0, 3, 8, 200, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, cut));
    expect(ken(place, 'help')).toBe(expected);
  }
});

/** The bundle may continue a text on the next line after any character. */
const GREETING = new RegExp([...'A knowledge base for'].join('(?:\\\\\\n)?'));

it('notices that a file of the bundle has changed, also when it has not become longer', () => {
  const copy = temporaryDirectory();
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const place = { home: temporaryDirectory(), package: copy };
  keptBy(place, 'help');
  const dist = path.join(copy, 'dist');
  for (const name of readdirSync(dist).filter((one) => one.endsWith('.cjs'))) {
    const text = readFileSync(path.join(dist, name), 'utf8');
    const changed = text.replace(GREETING, (found) => `B${found.slice(1)}`);
    if (changed !== text) writeFileSync(path.join(dist, name), changed);
  }
  expect(ken(place, 'help')).toMatch(/^B knowledge base for/);
});

it('keeps nothing of what failed, of a trifle, or when it is told not to', () => {
  const home = temporaryDirectory();
  expect(() => ken({ home }, 'serch')).toThrow('is not a ken command');
  ken({ home }, '--version');
  ken({ home, environment: { NODE_DISABLE_COMPILE_CACHE: '1' } }, 'help');
  expect(keptFiles(home)).toEqual([]);
});

it('keeps nothing under the words of its options', () => {
  const home = temporaryDirectory();
  ken({ home }, '--workspace', 'secret', 'help');
  expect(keptFiles(home).map((file) => path.basename(file).split('-').at(-1))).toEqual(['ken']);
});

it('ends where no directory can be made', () => {
  expect(ken({ home: temporaryDirectory(), environment: { KEN_HOME: '/proc/none' } }, 'help')).toContain(
    'Usage:',
  );
});

const isRoot = process.getuid?.() === 0;
const whyNot = isRoot ? '' : ' (only root can give files away)';

it.skipIf(!isRoot)(`does not run what another account has put there${whyNot}`, () => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const before = inode(file);
  chownSync(file, 65534, 65534);
  ken(place, 'help');
  expect(inode(file)).not.toBe(before);
  const directory = path.dirname(file);
  chownSync(directory, 65534, 65534);
  chownSync(file, 65534, 65534);
  const after = inode(file);
  ken(place, 'help');
  expect(inode(file)).toBe(after);
});

it.each(['file', 'directory'])('does not run what others could have written: a %s open to all', (which) => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const opened = which === 'file' ? file : path.dirname(file);
  const before = inode(file);
  chmodSync(opened, which === 'file' ? 0o666 : 0o777);
  writeFileSync(file, readFileSync(file), { mode: 0o666 });
  ken(place, 'help');
  // A file is replaced by one of its own; into a directory that is open to others nothing is written.
  expect(inode(file) === before).toBe(which === 'directory');
});

it('does not follow a link in place of the file', () => {
  const place = { home: temporaryDirectory() };
  const file = keptBy(place, 'help');
  const elsewhere = path.join(temporaryDirectory(), 'code');
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  ken(place, 'help');
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
});

it('has import() only in the file that Node itself loads, since code from a cache cannot import', () => {
  const files = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.cjs'));
  const importing = files.filter((name) =>
    /(?<![\w$.#])import\s*\(/.test(readFileSync(path.join(root, 'dist', name), 'utf8')),
  );
  expect(importing).toEqual(['native-import.cjs']);
});

it('is ASCII alone, since it is read without decoding', () => {
  const files = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.cjs'));
  expect(
    files.filter((name) => readFileSync(path.join(root, 'dist', name)).some((byte) => byte > 127)),
  ).toEqual([]);
});

it('tries again to load what could not be loaded', () => {
  const place = temporaryDirectory();
  cpSync(path.join(root, 'bin'), path.join(place, 'bin'), { recursive: true });
  mkdirSync(path.join(place, 'dist'));
  writeFileSync(
    path.join(place, 'dist/late.cjs'),
    'globalThis.tries = (globalThis.tries ?? 0) + 1; throw tries;',
  );
  const twice =
    'for (const _ of [1, 2]) try { require("./late.cjs") } catch (thrown) { console.log(thrown) }';
  writeFileSync(path.join(place, 'dist/main.cjs'), twice);
  expect(ken({ home: temporaryDirectory(), package: place }, 'x')).toBe('1\n2\n');
});

it('is the same program for Node itself', () => {
  const required = execFileSync(process.execPath, [path.join(root, 'dist/main.cjs'), 'help'], {
    env: { PATH: process.env.PATH ?? '', KEN_HOME: temporaryDirectory() },
    encoding: 'utf8',
  });
  expect(required).toBe(ken({ home: temporaryDirectory() }, 'help'));
});
