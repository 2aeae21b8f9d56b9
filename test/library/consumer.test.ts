import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { gardenWorkspace } from '../mcp/garden.ts';

const root = path.join(import.meta.dirname, '../..');
const examples = path.join(root, 'examples/library');
const tsc = path.join(root, 'node_modules/.bin/tsc');

/** Strict about everything, declarations of packages included. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'esnext',
  noEmit: true,
};

const RESOLUTIONS = {
  node16: { module: 'node16', moduleResolution: 'node16', types: ['node'] },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] },
  bundler: { module: 'preserve', moduleResolution: 'bundler', types: ['node'] },
  'bundler, without the types of Node': {
    module: 'preserve',
    moduleResolution: 'bundler',
    types: [],
    lib: ['esnext', 'dom'],
  },
};

const PROGRAM = `
import { isKenError, type KenErrorCode, type KenErrorKind, openWorkspace, type SearchHit } from 'ken';

const ken = await openWorkspace('.', { actor: 'consumer' });
const { hits } = await ken.search('deploy', { in: ['kb'], limit: 1 });
const where = (hit: SearchHit): number | undefined => hit.citation.lines?.first;
const failed: unknown = await ken.addFact({ title: 'x', text: 'y', provenance: [] }).catch((error: unknown) => error);
const code: KenErrorCode = isKenError(failed) ? failed.code : 'tools/failed';
const kind: KenErrorKind = isKenError(failed) ? failed.kind : 'failure';
console.log(JSON.stringify({ first: hits.map(where), code, kind }));
await ken.close();
`;

/** Mistakes that the compiler must find, a line each. */
const WRONG = `
import { openWorkspace } from 'ken';
const ken = await openWorkspace('.');
await ken.learn(3);
await ken.search('x', { in: ['everything'] });
await ken.addFact({ title: 'x', text: 'y' });
(await ken.topics())[0].id;
`;

/** Most of it is the embedding model. */
const MOST_PACKED_MEGABYTES = 23;

const packed = mkdtempSync(path.join(tmpdir(), 'ken-packed-'));

beforeAll(() => {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed];
  execFileSync('npm', words, { cwd: root, stdio: 'pipe' });
  execFileSync('tar', ['-xzf', tarball()], { cwd: packed });
}, 120_000);

afterAll(() => rmSync(packed, { recursive: true }));

function tarball(): string {
  const name = readdirSync(packed).find((entry) => entry.endsWith('.tgz')) ?? 'none';
  return path.join(packed, name);
}

/** Somebody else's, which has the package as it is published. */
function project(): Sandbox {
  const place = gardenWorkspace();
  const modules = path.join(place.root, 'node_modules');
  mkdirSync(path.join(modules, '@types'), { recursive: true });
  symlinkSync(path.join(packed, 'package'), path.join(modules, 'ken'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  place.write('package.json', '{"type": "module"}');
  place.write('program.ts', PROGRAM);
  place.write('wrong.ts', WRONG);
  return place;
}

/** The output of the compiler for these files. */
function compiled(place: Sandbox, options: object, files: readonly string[]): string {
  const settings = { compilerOptions: { ...STRICT, ...options }, files };
  place.write('tsconfig.json', JSON.stringify(settings));
  try {
    return execFileSync(tsc, ['-p', '.'], { cwd: place.root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

it.each(Object.entries(RESOLUTIONS))('has types for a strict program: %s', (_, options) => {
  const place = project();
  const problems = compiled(place, options, ['program.ts', 'wrong.ts']).matchAll(/^(\S.*?),\d+\):/gm);
  expect([...problems].map(([, where]) => where)).toEqual(
    ['4', '5', '6', '7'].map((line) => `wrong.ts(${line}`),
  );
});

it('has types for every example', () => {
  const place = project();
  for (const name of readdirSync(examples)) cpSync(path.join(examples, name), path.join(place.root, name));
  expect(compiled(place, RESOLUTIONS.nodenext, readdirSync(examples))).toBe('');
});

it('is small, and asks for no other package', async ({ annotate }) => {
  const manifest = JSON.parse(readFileSync(path.join(packed, 'package/package.json'), 'utf8'));
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  expect({ dependencies, optionalDependencies, peerDependencies }).toEqual({});
  const megabytes = statSync(tarball()).size / 1e6;
  await annotate(`the packed package has ${megabytes.toFixed(1)} MB`);
  expect(megabytes).toBeLessThan(MOST_PACKED_MEGABYTES);
});

it('brings the licences of the packages that it contains', () => {
  const licences = readFileSync(path.join(packed, 'package/dist/LICENSES.txt'), 'utf8');
  const contained = ['@ai-sdk/anthropic', '@modelcontextprotocol/server', 'marked', 'parse5', 'smol-toml'];
  expect(contained.filter((name) => !licences.includes(name))).toEqual([]);
  expect(licences.split('Permission is hereby granted').length).toBeGreaterThan(3);
});

it('runs without anything beside it', () => {
  const place = project();
  const printed = execFileSync(process.execPath, ['program.ts'], {
    cwd: place.root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: place.home, KEN_HOME: place.home },
  });
  expect(JSON.parse(printed)).toEqual({ first: [3], code: 'ledger/invalid', kind: 'usage' });
});

it('tells an error that nobody catches in a few lines', () => {
  const place = project();
  place.write('uncaught.ts', "import { openWorkspace } from 'ken';\nawait openWorkspace('/');\n");
  const { status, stderr } = spawnSync(process.execPath, ['uncaught.ts'], {
    cwd: place.root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: place.home, KEN_HOME: place.home },
  });
  expect(status).toBe(1);
  expect(stderr).toContain('Fault: There is no workspace in / or in any directory above.');
  expect(stderr).toContain("code: 'workspace/not-found'");
  expect(stderr.length).toBeLessThan(4_000);
});
