import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { rewrite } from '../scripts/direct-builtins.mjs';

const FS = 'globalThis.process.getBuiltinModule("node:fs")';

it.each([
  ['members', 'import{a,b as c}from"node:fs";x();', `const {a,b:c}=${FS};x();`],
  ['the whole', 'import fs from"node:fs";x();', `const fs=${FS};x();`],
  ['the whole and members', 'import fs,{a}from"node:fs";x();', `const fs=${FS},{a}=${FS};x();`],
  ['a namespace', 'import*as fs from"node:fs";x();', `const fs=${FS};x();`],
  ['no names', 'import"node:fs";x();', 'x();'],
  [
    'names without a prefix',
    'import fs from"fs";x();',
    'const fs=globalThis.process.getBuiltinModule("fs");x();',
  ],
  [
    'what is called process itself',
    'import process from"node:process";x();',
    'const process=globalThis.process.getBuiltinModule("node:process");x();',
  ],
  ['one in the middle, like an import', 'x();import{a}from"node:fs";a();', `const {a}=${FS};x();a();`],
  [
    'two at once',
    'import{a}from"node:fs";import b from"node:path";',
    `const {a}=${FS},b=globalThis.process.getBuiltinModule("node:path");`,
  ],
])('asks for %s', (_, code, expected) => {
  expect(rewrite(code).code).toBe(expected);
});

it.each([
  ['chunks', 'import{a}from"./chunk-X.js";import"./chunk-Y.js";'],
  ['packages', 'import{z}from"zod";'],
  ['text that looks similar', 'var text="import fs from\\"node:fs\\";";'],
  ['dynamic imports', 'await import("node:fs");'],
])('leaves %s alone', (_, code) => {
  expect(rewrite(code)).toEqual({ code, found: 0 });
});

it('has a launcher that waits for no module of Node', () => {
  const launcher = readFileSync(path.join(import.meta.dirname, '../bin/ken.mjs'), 'utf8');
  expect(launcher).not.toMatch(/^import /m);
});
