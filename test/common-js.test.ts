import { expect, it } from 'vitest';
import { parsed, refuseCycles, refuseLiveImports, rewritten } from '../scripts/common-js.mjs';

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
  ['the whole by name', 'import{default as fs}from"node:fs";x();', 'const fs=require("node:fs");x();'],
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
    '"use strict";const importNatively=require("../import-natively.cjs");' +
      `await0(${late('./a.cjs')},importNatively("node:fs"),importNatively("package"),importNatively(url));${NOTHING}`,
  );
});

it('exports values, and what is assigned to as it is then', () => {
  const code = 'var a=1,b=2;function set(to){b=to}export{a,b,set as put};';
  expect(translated(code)).toBe(
    '"use strict";var a=1,b=2;function set(to){b=to}\nmodule.exports={a,get b(){return b},put:set};\n',
  );
});

it('exports what it imports', () => {
  expect(translated('import{a}from"./chunk-Y.js";export{a as b};')).toBe(
    '"use strict";const {a}=require("./chunk-Y.cjs");\nmodule.exports={b:a};\n',
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

it.each(['a=to', '[a]=to', '({b:a}=to)', '[...a]=to', 'a++', 'for(a of to);', 'for(a in to);', '({a=1}=to)'])(
  'refuses to copy what is assigned to by %s',
  (assignment) => {
    const live = parsed('live.js', `var a=1;function set(to){${assignment}}export{a,set};`);
    const copies = parsed('chunk-X.js', 'import{a}from"./live.js";');
    expect(() => refuseLiveImports([live, copies])).toThrow(
      'chunk-X.js imports a, which is assigned to elsewhere',
    );
    expect(rewritten(live)).toContain('get a(){return a}');
  },
);

it.each([
  ['a whole chunk', 'import a from"./chunk-Y.js";', 'a whole ./chunk-Y.js'],
  ['what is passed on', 'export{a}from"./chunk-Y.js";', 'ExportNamedDeclaration'],
  ['a default without a name', 'export default 3;', 'ExportDefaultDeclaration'],
  ['names of exports that are no words', 'var a;export{a as "x-y"};', 'export x-y'],
  ['names that are no words', 'import{"x-y" as a}from"./chunk-Y.js";', 'import x-y'],
  ['waiting', 'await(a());', 'awaits before it is there'],
  ['waiting in a loop', 'for await(const a of b)c(a);', 'awaits before it is there'],
  ['a name of the wrapper', 'var a=1,{b:module}=c;', 'has a module of its own'],
  ['a name of the wrapper in a block', 'if(a){var exports=1}', 'has a exports of its own'],
])('refuses %s', (_, code, message) => {
  expect(() => translated(code)).toThrow(message);
});

it.each(['function f(module){var exports=1;return module+exports}', 'if(a){let module=1}', 'a.exports=1;'])(
  'takes %s for what it is',
  (code) => {
    expect(translated(code)).toBe(`"use strict";${code}${NOTHING}`);
  },
);

it('refuses a circle of imports', () => {
  const modules = [
    parsed('a.js', 'import"./b.js";import"node:fs";'),
    parsed('b.js', 'import"./c.js";'),
    parsed('c.js', ''),
  ];
  refuseCycles(modules);
  modules[2] = parsed('c.js', 'import"./a.js";');
  expect(() => refuseCycles(modules)).toThrow('a circle of imports: a.js, b.js, c.js, a.js');
});
