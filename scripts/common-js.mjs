// V8 can keep what it compiled of a script after it ran, with all functions that were called; of an ES module it keeps
// only what it compiled to begin with. So the chunks that esbuild cuts become CommonJS.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** Replaces the outputs of a build, and their names in the metafile: `.js` becomes `.cjs`. */
export function commonJs(root, metafile) {
  const modules = Object.keys(metafile.outputs).map((output) =>
    parsed(output, readFileSync(path.join(root, output), 'utf8')),
  );
  refuseLiveImports(modules);
  for (const module of modules) {
    writeFileSync(path.join(root, commonName(module.output)), rewritten(module));
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
  return { output, code, reassigned: reassignedNames(program), ...module };
}

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

function exportsOf({ staticExports, reassigned }) {
  return staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName, localName }) => ({
      name: exportName.kind === 'Default' ? 'default' : exportName.name,
      local: localName.name,
      isLive: reassigned.has(localName.name),
    })),
  );
}

/** By name alone: one that is assigned to in another scope counts as well. */
function reassignedNames(node, found = new Set()) {
  if (Array.isArray(node)) {
    for (const one of node) reassignedNames(one, found);
  } else if (typeof node?.type === 'string') {
    const target = { AssignmentExpression: node.left, UpdateExpression: node.argument }[node.type];
    if (target?.type === 'Identifier') found.add(target.name);
    for (const value of Object.values(node)) if (typeof value === 'object') reassignedNames(value, found);
  }
  return found;
}

export function rewritten(module) {
  const { code, staticImports, staticExports, dynamicImports, importMetas } = module;
  const edits = [
    ...[...staticImports, ...staticExports].map(({ start, end }) => ({ start, end, text: '' })),
    ...dynamicImports.flatMap((one) => lateRequire(code, one)),
    ...importMetas.map(({ start, end }) => {
      if (!/^\s*\.\s*url\b/.test(code.slice(end, end + 20)))
        throw new Error(`${module.output} wants more than import.meta.url`);
      return { start, end, text: 'importMeta' };
    }),
  ];
  const head = [
    ...(importMetas.length > 0 ? [IMPORT_META] : []),
    // As imports do, they come first, wherever they stood.
    ...staticImports.map(requireStatement),
  ];
  return `"use strict";${head.join('')}${edited(code, edits).trim()}\n${exportStatement(exportsOf(module))}\n`;
}

const IMPORT_META = 'const importMeta={url:require("node:url").pathToFileURL(__filename).href};';

function requireStatement({ moduleRequest, entries }) {
  const required = `require("${commonName(moduleRequest.value)}")`;
  const members = entries.filter(({ importName }) => importName.kind === 'Name');
  // Of Node's own modules, the default is the module. Others have none: esbuild names all it takes from its chunks.
  const whole = entries.filter(({ importName }) => importName.kind !== 'Name');
  if (whole.length > 0 && !isBuiltin(moduleRequest.value)) throw new Error(`a whole ${moduleRequest.value}`);
  const names = members.map(({ importName, localName }) =>
    importName.name === localName.value ? localName.value : `${importName.name}:${localName.value}`,
  );
  const targets = [
    ...whole.map(({ localName }) => localName.value),
    ...(names.length > 0 ? [`{${names}}`] : []),
  ];
  return targets.length > 0 ? `const ${targets.map((one) => `${one}=${required}`)};` : `${required};`;
}

/** Of what is not in the build and not Node's own, Node itself takes care. */
function lateRequire(code, { start, end, moduleRequest }) {
  const name = /^"([^"]*)"$/.exec(code.slice(moduleRequest.start, moduleRequest.end))?.[1];
  if (name === undefined || !(name.startsWith('.') || isBuiltin(name))) return [];
  return [{ start, end, text: `Promise.resolve().then(()=>require("${commonName(name)}"))` }];
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
