import { expect, it } from 'vitest';
import { parsed, refuseLiveImports, rewritten } from '../scripts/common-js.mjs';

const NOTHING = '\nmodule.exports={};\n';
const translated = (code: string) => rewritten(parsed('chunk-X.js', code));

it.each([
  ['members', 'import{a,b as c}from"node:fs";x();', 'const {a,b:c}=require("node:fs");x();'],
  ['the whole', 'import fs from"node:fs";x();', 'const fs=require("node:fs");x();'],
  [
    'the whole and members',
    'import fs,{a}from"node:fs";x();',
    'const fs=require("node:fs"),{a}=require("node:fs");x();',
  ],
  ['a namespace', 'import*as fs from"node:fs";x();', 'const fs=require("node:fs");x();'],
  ['no names', 'import"node:fs";x();', 'require("node:fs");x();'],
  ['a chunk', 'import{a}from"./chunk-Y.js";x();', 'const {a}=require("./chunk-Y.cjs");x();'],
  ['one in the middle, first', 'x();import{a}from"fs";a();', 'const {a}=require("fs");x();a();'],
  [
    'two, in their order',
    'import{a}from"node:fs";import"./b.js";x();',
    'const {a}=require("node:fs");require("./b.cjs");x();',
  ],
])('requires %s', (_, code, expected) => {
  expect(translated(code)).toBe(`"use strict";${expected}${NOTHING}`);
});

it('requires late what is imported late, and leaves to Node what is not in the build', () => {
  const code = 'await0(import(\n"./a.js"),import("node:fs"),import("package"),import(url));';
  const late = (name: string) => `Promise.resolve().then(()=>require("${name}"))`;
  expect(translated(code)).toBe(
    `"use strict";await0(${late('./a.cjs')},${late('node:fs')},import("package"),import(url));${NOTHING}`,
  );
});

it('exports values, and what is assigned to as it is then', () => {
  const code = 'var a=1,b=2;function set(to){b=to}export{a,b,set as put};';
  expect(translated(code)).toBe(
    '"use strict";var a=1,b=2;function set(to){b=to}\nmodule.exports={a,get b(){return b},put:set};\n',
  );
});

it('knows where it stands', () => {
  expect(translated('var here=import.meta.\nurl;')).toBe(
    '"use strict";const importMeta={url:require("node:url").pathToFileURL(__filename).href};' +
      `var here=importMeta.\nurl;${NOTHING}`,
  );
  expect(() => translated('var here=import.meta.dirname;')).toThrow('wants more than import.meta.url');
});

it('leaves text alone that looks like imports', () => {
  const code = 'var text="import fs from\\"node:fs\\";export{a};";';
  expect(translated(code)).toBe(`"use strict";${code}${NOTHING}`);
});

it('refuses what only an ES module can do', () => {
  const live = parsed('live.js', 'var a=1;function set(to){a=to}export{a,set};');
  const copies = parsed('chunk-X.js', 'import{a}from"./live.js";');
  expect(() => refuseLiveImports([live, copies])).toThrow(
    'chunk-X.js imports a, which is assigned to elsewhere',
  );
  expect(() => translated('import a from"./chunk-Y.js";')).toThrow('a whole ./chunk-Y.js');
});
