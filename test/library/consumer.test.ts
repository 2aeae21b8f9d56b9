import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Sandbox } from '../cli/ken.ts';
import { gardenWorkspace } from '../mcp/garden.ts';
import { type InstalledPackage, installPackage } from '../project/installed-package.ts';

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
import { isKenError, type KenErrorCode, type KenErrorKind, openWorkspace, type SearchHit } from '@ken-kb/ken';

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
import { openWorkspace } from '@ken-kb/ken';
const ken = await openWorkspace('.');
await ken.learn(3);
await ken.search('x', { in: ['everything'] });
await ken.addFact({ title: 'x', text: 'y' });
(await ken.topics())[0].id;
`;

let installed: InstalledPackage;

beforeAll(() => {
  installed = installPackage();
}, 120_000);

afterAll(() => installed.remove());

/** A program of somebody else, with the package as npm installs it. */
function project(): Sandbox {
  const place = gardenWorkspace();
  const modules = path.join(place.root, 'node_modules');
  mkdirSync(path.join(modules, '@types'), { recursive: true });
  mkdirSync(path.dirname(path.join(modules, manifest.name)));
  symlinkSync(installed.directory, path.join(modules, manifest.name));
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

it('has types for a CommonJS program', () => {
  const place = project();
  place.write(
    'program.cts',
    "import { isKenError, openWorkspace, type KenErrorCode } from '@ken-kb/ken';\n" +
      'const code = (error: unknown): KenErrorCode | undefined => (isKenError(error) ? error.code : undefined);\n' +
      "export const opened = openWorkspace('.').catch(code);\n",
  );
  expect(compiled(place, RESOLUTIONS.node16, ['program.cts'])).toBe('');
});

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
  place.write('uncaught.ts', "import { openWorkspace } from '@ken-kb/ken';\nawait openWorkspace('/');\n");
  const { status, stderr } = spawnSync(process.execPath, ['uncaught.ts'], {
    cwd: place.root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: place.home, KEN_HOME: place.home },
  });
  expect(status).toBe(1);
  expect(stderr).toContain('Fault [KenError]: There is no workspace in / or in any directory above.');
  expect(stderr).toContain("code: 'workspace/not-found'");
  expect(stderr.length).toBeLessThan(4_000);
});
