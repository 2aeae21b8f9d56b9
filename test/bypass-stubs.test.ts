import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bypassStubs } from '../scripts/bypass-stubs.mjs';
import { temporaryDirectory } from './temporary-directory.ts';

interface Output {
  readonly code: string;
  readonly entryPoint?: string;
  /** Names of the chunks that it imports. */
  readonly imports?: readonly string[];
}

/** Writes outputs as esbuild would, and answers the code of each afterwards. */
function bypassed(outputs: Record<string, Output>): Record<string, string> {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, 'chunks'));
  const entries = Object.entries(outputs).map(([name, { code, entryPoint, imports = [] }]) => {
    writeFileSync(path.join(root, name), code);
    const inputs = code.includes('=') ? { 'src/x.ts': { bytesInOutput: 1 } } : {};
    return [
      name,
      { entryPoint, inputs, imports: imports.map((one) => ({ path: one, kind: 'import-statement' })) },
    ];
  });
  bypassStubs(root, { outputs: Object.fromEntries(entries) });
  const left = Object.keys(outputs).filter((name) => existsSync(path.join(root, name)));
  return Object.fromEntries(left.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
}

const main = { entryPoint: 'src/main.ts', code: 'let a=await import("./chunks/start-S.js");' };
const core = { code: 'var start=1;export{start};' };

it('leads past an entry without code', () => {
  const stub = {
    entryPoint: 'src/start.ts',
    code: 'import{start}from"./core-C.js";export{start};\n',
    imports: ['chunks/core-C.js'],
  };
  expect(bypassed({ 'main.js': main, 'chunks/start-S.js': stub, 'chunks/core-C.js': core })).toEqual({
    'main.js': 'let a=await import("./chunks/core-C.js");',
    'chunks/core-C.js': core.code,
  });
});

it('leads past an entry whose long lines were broken', () => {
  const broken = { ...main, code: 'let a=await import(\n"./chunks/start-S.js");' };
  const stub = {
    entryPoint: 'src/start.ts',
    code: 'import{start,\nstop}from"./core-C.js";import"./more-M.js";\nexport{start,stop};\n',
    imports: ['chunks/core-C.js', 'chunks/more-M.js'],
  };
  const more = { code: 'var more=1;' };
  const outputs = {
    'main.js': broken,
    'chunks/start-S.js': stub,
    'chunks/core-C.js': { ...core, imports: ['chunks/more-M.js'] },
    'chunks/more-M.js': more,
  };
  expect(bypassed(outputs)).toEqual({
    'main.js': 'let a=await import(\n"./chunks/core-C.js");',
    'chunks/core-C.js': core.code,
    'chunks/more-M.js': more.code,
  });
});

it.each([
  [
    'renames what it passes on',
    'import{start as b}from"./core-C.js";export{b as start};',
    ['chunks/core-C.js'],
  ],
  [
    'loads more than its chunk does',
    'import{start}from"./core-C.js";import"./more-M.js";export{start};',
    ['chunks/core-C.js', 'chunks/more-M.js'],
  ],
  [
    'has names from two chunks',
    'import{start}from"./core-C.js";import{more}from"./more-M.js";export{start,more};',
    ['chunks/core-C.js', 'chunks/more-M.js'],
  ],
])('keeps an entry that %s', (_, code, imports) => {
  const outputs = {
    'main.js': main,
    'chunks/start-S.js': { entryPoint: 'src/start.ts', code, imports },
    'chunks/core-C.js': core,
    'chunks/more-M.js': { code: 'globalThis.more=1;' },
  };
  expect(bypassed(outputs)).toEqual(
    Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, output.code])),
  );
});

it('does not load helpers that nobody calls', () => {
  const helpers = { code: 'function help(){}export{help};' };
  const uses = { entryPoint: 'src/b.ts', code: 'import{help}from"./help-H.js";var b=help();' };
  const ignores = { entryPoint: 'src/c.ts', code: 'import"./help-H.js";var c=1;' };
  expect(bypassed({ 'chunks/help-H.js': helpers, 'chunks/b-B.js': uses, 'chunks/c-C.js': ignores })).toEqual({
    'chunks/help-H.js': helpers.code,
    'chunks/b-B.js': uses.code,
    'chunks/c-C.js': 'var c=1;',
  });
});
