// V8 can keep what it compiled of a script after it ran, with all functions that were called; of an ES module it keeps
// only what it compiled to begin with. So the chunks that esbuild cuts become CommonJS. What cannot be translated truly
// is refused, and with it the build.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { parseSync } from 'oxc-parser';
import { assignedNames, declaredNames, hasTopLevelAwait } from './syntax-tree.mjs';

/** Replaces the outputs of a build, and their names in the metafile: `.js` becomes `.cjs`. */
export function commonJs(root, metafile) {
  const modules = Object.keys(metafile.outputs).map((output) =>
    parsed(output, readFileSync(path.join(root, output), 'utf8')),
  );
  refuseLiveImports(modules);
  refuseCycles(modules);
  for (const module of modules) {
    const code = rewritten(module);
    if (code.includes(IMPORT_NATIVELY) && !module.output.includes('/chunks/'))
      throw new Error(`${module.output} imports what is not in the build`);
    // As it will be run; only to see that it can be read.
    new Script(`(function(exports,require,module,__filename,__dirname){${code}})`, {
      filename: module.output,
    });
    writeFileSync(path.join(root, commonName(module.output)), code);
    rmSync(path.join(root, module.output));
  }
  metafile.outputs = Object.fromEntries(
    Object.entries(metafile.outputs).map(([output, { imports, ...rest }]) => [
      commonName(output),
      { ...rest, imports: imports.map((one) => ({ ...one, path: commonName(one.path) })) },
    ]),
  );
}

export function parsed(output, code) {
  const { program, module, errors } = parseSync(output, code, { sourceType: 'module', lang: 'js' });
  if (errors.length > 0) throw new Error(`${output}: ${errors[0].message}`);
  if (hasTopLevelAwait(program)) throw new Error(`${output} awaits before it is there`);
  const taken = declaredNames(program).find((name) => OF_THE_WRAPPER.includes(name));
  if (taken) throw new Error(`${output} has a ${taken} of its own`);
  return { output, code, program, reassigned: assignedNames(program), ...module };
}

const OF_THE_WRAPPER = [
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'importMeta',
  'importNatively',
];

/** What is imported here is a copy; that it stays true is certain only for what nobody assigns to. */
export function refuseLiveImports(modules) {
  const live = new Map(
    modules.map((module) => [path.basename(module.output), exportsOf(module).filter(({ isLive }) => isLive)]),
  );
  for (const { output, staticImports } of modules) {
    for (const { moduleRequest, entries } of staticImports) {
      const names = live.get(path.basename(moduleRequest.value)) ?? [];
      const taken = entries.find(({ importName }) => names.some(({ name }) => name === importName.name));
      if (taken)
        throw new Error(`${output} imports ${taken.importName.name}, which is assigned to elsewhere`);
    }
  }
}

/** A module that is required while it is being run has nothing to give yet. */
export function refuseCycles(modules) {
  const needed = new Map(
    modules.map(({ output, staticImports }) => [
      path.basename(output),
      staticImports.map(({ moduleRequest }) => path.basename(moduleRequest.value)),
    ]),
  );
  const done = new Set();
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`a circle of imports: ${[...above, name].join(', ')}`);
    if (done.has(name)) return;
    for (const next of needed.get(name) ?? []) visit(next, [...above, name]);
    done.add(name);
  };
  for (const name of needed.keys()) visit(name, []);
}

/** As esbuild writes them, `export{a,b as c}`, and in no other way. */
function exportsOf({ output, program, reassigned }) {
  return program.body.filter(isExport).flatMap(({ type, source, declaration, specifiers }) => {
    if (type !== 'ExportNamedDeclaration' || source || declaration) throw new Error(`${output}: ${type}`);
    return specifiers.map(({ local, exported }) => {
      if (exported.type !== 'Identifier') throw new Error(`${output}: export ${exported.value}`);
      return { name: exported.name, local: local.name, isLive: reassigned.has(local.name) };
    });
  });
}

function isExport({ type }) {
  return type.startsWith('Export');
}

function isPlainName(name) {
  return /^[\w$]+$/.test(name);
}

export function rewritten(module) {
  const { code, program, staticImports, dynamicImports, importMetas } = module;
  const edits = [
    ...[...staticImports, ...program.body.filter(isExport)].map(({ start, end }) => ({
      start,
      end,
      text: '',
    })),
    ...dynamicImports.map((one) => lateRequire(code, one)),
    ...importMetas.map(({ start, end }) => {
      if (!/^\s*\.\s*url\b/.test(code.slice(end, end + 20)))
        throw new Error(`${module.output} wants more than import.meta.url`);
      return { start, end, text: 'importMeta' };
    }),
  ];
  const head = [
    ...(importMetas.length > 0 ? [IMPORT_META] : []),
    ...(dynamicImports.every((one) => chunkIn(code, one)) ? [] : [IMPORT_NATIVELY]),
    // As imports do, they come first, wherever they stood.
    ...staticImports.map(requireStatement),
  ];
  return `"use strict";${head.join('')}${edited(code, edits).trim()}\n${exportStatement(exportsOf(module))}\n`;
}

/** Of what is not in the build, Node itself takes care. A script that V8 kept cannot ask it; a file beside it can. */
export const NATIVE_IMPORT = 'module.exports=(name)=>import(name);\n';
const IMPORT_NATIVELY = 'const importNatively=require("../import-natively.cjs");';

const IMPORT_META = 'const importMeta={url:require("node:url").pathToFileURL(__filename).href};';

/** Of Node's own modules, the default is the module. Others have none: esbuild names all it takes from its chunks. */
function requireStatement({ moduleRequest, entries }) {
  const required = `require("${commonName(moduleRequest.value)}")`;
  const isWhole = ({ importName: { kind, name } }) => kind !== 'Name' || name === 'default';
  const whole = entries.filter(isWhole);
  if (whole.length > 0 && !isBuiltin(moduleRequest.value)) throw new Error(`a whole ${moduleRequest.value}`);
  const names = entries
    .filter((entry) => !isWhole(entry))
    .map(({ importName, localName }) => {
      if (!isPlainName(importName.name)) throw new Error(`import ${importName.name}`);
      return importName.name === localName.value ? localName.value : `${importName.name}:${localName.value}`;
    });
  const targets = [
    ...whole.map(({ localName }) => localName.value),
    ...(names.length > 0 ? [`{${names}}`] : []),
  ];
  return targets.length > 0 ? `const ${targets.map((one) => `${one}=${required}`)};` : `${required};`;
}

function lateRequire(code, { start, end, moduleRequest }) {
  const name = chunkIn(code, { moduleRequest });
  if (name === undefined) return { start, end: start + 'import'.length, text: 'importNatively' };
  return { start, end, text: `Promise.resolve().then(()=>require("${commonName(name)}"))` };
}

function chunkIn(code, { moduleRequest }) {
  return /^"(\.[^"]*)"$/.exec(code.slice(moduleRequest.start, moduleRequest.end))?.[1];
}

function exportStatement(exported) {
  const members = exported.map(({ name, local, isLive }) => {
    if (isLive) return `get ${name}(){return ${local}}`;
    return name === local ? name : `${name}:${local}`;
  });
  return `module.exports={${members.join(',')}};`;
}

function edited(code, edits) {
  let result = '';
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
}

function commonName(name) {
  return name.endsWith('.js') ? name.replace(/\.js$/, '.cjs') : name;
}
