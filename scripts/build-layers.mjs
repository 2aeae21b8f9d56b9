// Bundles src/ into a few CommonJS files. Node reads a file whole, and V8's code cache has an entry for every function
// in it, called or not; so the commands that start most often read files that hold little else than what they run.
import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { bundledLicences } from './licences.mjs';

const root = path.join(import.meta.dirname, '..');

/** The layer that Node's own loader runs. */
const NATIVE = 'native-import';

/**
 * Each layer holds what its roots import statically, or the sources in its folder, except what an earlier layer holds; `rest` holds all other sources,
 * `packages` all other packages. A file that is missing here costs time, nothing else: test/start-up says which
 * layers a command reads.
 */
const LAYERS = [
  { name: NATIVE, roots: ['src/base/native-import.ts'] },
  // Every command, the configuration, `learn` and `kb`.
  {
    name: 'core',
    roots: [
      'src/main.ts',
      'src/compose.ts',
      'src/entry/cli/help.ts',
      'src/entry/cli/commands/kb/kb.ts',
      'src/entry/cli/commands/learn.ts',
      'src/adapters/files/file-fault.ts',
    ],
    packages: /^smol-toml$/,
  },
  // `search` and what it searches, conversations among it.
  {
    name: 'search',
    roots: [
      'src/compose/conversations.ts',
      'src/compose/ledger.ts',
      'src/compose/references.ts',
      'src/compose/search.ts',
      'src/entry/cli/commands/conversation/conversation.ts',
      'src/entry/cli/commands/search.ts',
      'src/adapters/embedders/builtin.ts',
      'src/adapters/embedders/open-embedder.ts',
      'src/adapters/files/conversations/conversation-store.ts',
      'src/adapters/lock/operator-key.ts',
      'src/domain/search/citations/citation.ts',
      'src/domain/search/sources/subject-source.ts',
    ],
  },
  // Hooks: the rules in the ledger, and the approvals that they rest on.
  {
    name: 'approvals',
    roots: [
      'src/entry/cli/commands/hook/hook.ts',
      'src/compose/approvals.ts',
      'src/adapters/files/ledger-files.ts',
      'src/adapters/lock/approvals-lock.ts',
      'src/adapters/sqlite/approvals/approval-store.ts',
      'src/adapters/sqlite/approvals/approvals-database.ts',
      'src/adapters/sqlite/approvals/decision-log.ts',
      'src/adapters/sqlite/ledger/ledger-database.ts',
      'src/adapters/sqlite/ledger/ledger-store.ts',
      'src/adapters/system/process-stat.ts',
      'src/domain/approvals/lock/signed-stores.ts',
      'src/domain/turns/assistant-brief.ts',
      'src/domain/turns/rules-section.ts',
    ],
  },
  // A tool that is called, and the sandbox it may run in.
  {
    name: 'tools',
    roots: [
      'src/compose/outside.ts',
      'src/compose/tools.ts',
      'src/adapters/system/process-table.ts',
      'src/entry/cli/commands/tools/tools.ts',
      'src/adapters/system/process-table.ts',
      'src/adapters/wasm/component-host.ts',
      'src/domain/approvals/operator/operator-presence.ts',
      'src/domain/knowledge-base/learn/learn-tool.ts',
      'src/domain/knowledge-base/learn/sandboxed-learn.ts',
    ],
  },
  {
    name: 'web',
    within: 'src/entry/web/',
    packages: /^(?:hono|@hono\/node-server|highlight\.js|d3-[a-z]+)(?:\/|$)/,
  },
  // Only a command with a team reads it.
  { name: 'postgres', within: 'src/adapters/postgres/', packages: /^postgres$/ },
  { name: 'mcp', packages: /^@modelcontextprotocol\// },
  { name: 'models', packages: /^(?:@ai-sdk\/|ollama-)/ },
];

/** Writes the layers, and `main.cjs` and `library.js`, which start from them. */
export async function buildLayers(outdir) {
  const { build } = await import('esbuild');
  const options = {
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    // Packages as ES modules where they have them: some CommonJS forms require files by names that no bundler can follow.
    mainFields: ['module', 'main'],
    // A text of ASCII alone is held in half the memory, and read without decoding.
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole line of an error that a program does not catch.
    lineLimit: 160,
    legalComments: 'none',
    logLevel: 'warning',
  };
  const entryPoints = ['src/main.ts', 'src/library.ts'];
  const define = { 'import.meta.url': 'moduleUrl' };
  const { metafile } = await build({ ...options, define, entryPoints, outdir, write: false, metafile: true });
  const layers = layersOf(metafile.inputs);
  for (const layer of layers) {
    await build({
      ...options,
      define,
      // A script that V8 took from a cache cannot import modules; esbuild writes `require` instead.
      supported: { 'dynamic-import': layer.name === NATIVE },
      banner: { js: MODULE_URL },
      stdin: { contents: entryOf(layer), resolveDir: root, sourcefile: `${layer.name}.js` },
      outfile: path.join(outdir, `${layer.name}.cjs`),
      plugins: [linked(layer, layers)],
    });
    escapeExpressions(path.join(outdir, `${layer.name}.cjs`));
  }
  writeFileSync(path.join(outdir, 'LICENSES.txt'), bundledLicences(metafile.inputs, root));
  writeFileSync(path.join(outdir, 'main.cjs'), `require('./core.cjs')('src/main.ts');\n`);
  writeFileSync(path.join(outdir, 'library.cjs'), LIBRARY);
  writeFileSync(path.join(outdir, 'library.js'), MODULE);
}

/**
 * esbuild leaves regular expressions as they are written, and everything else is ASCII already. Two escaped surrogates are
 * one character where the expression has the flag `u`.
 */
function escapeExpressions(file) {
  const code = readFileSync(file, 'utf8');
  const escaped = code.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped !== code) writeFileSync(file, escaped);
}

/** In the stand-alone binary the name of a file is an address already. */
const MODULE_URL =
  'const moduleUrl=__filename.startsWith("asset:")?__filename:require("node:url").pathToFileURL(__filename).href;';

/** Plain JavaScript for any Node. */
const LIBRARY = `if (process.platform === 'win32')
  throw new Error('ken does not support Windows yet; Linux and macOS work.');
const problem = require('../bin/node-version.cjs').nodeProblem(process.versions.node);
if (problem !== undefined) throw new Error(problem);
const { openWorkspace, isKenError } = require('./rest.cjs')('src/library.ts');
exports.openWorkspace = openWorkspace;
exports.isKenError = isKenError;
`;

const MODULE = `import library from './library.cjs';
export const { openWorkspace, isKenError } = library;
`;

/** Assigns every source and every package to a layer. A layer's `exported` are those that other layers import. */
function layersOf(inputs) {
  const layers = [...LAYERS, { name: 'rest', roots: sourcesIn(inputs) }, { name: 'packages', packages: /./ }];
  const sources = new Map();
  for (const { name, roots = [], within } of layers) {
    const held = within ? sourcesIn(inputs, within) : staticClosure(inputs, roots);
    for (const file of held) if (!sources.has(file)) sources.set(file, name);
  }
  const layerOf = (file) => sources.get(file) ?? layers.find(({ packages }) => packages?.test(file)).name;
  const exported = Map.groupBy(crossings(inputs, layerOf), layerOf);
  return layers.map(({ name }) => ({
    name,
    holds: (file) => layerOf(file) === name,
    exported: [...new Set(exported.get(name))],
  }));
}

function sourcesIn(inputs, folder = 'src/') {
  return Object.keys(inputs).filter((file) => file.startsWith(folder));
}

function staticClosure(inputs, roots) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    if (!inputs[file]) throw new Error(`${file} is no source of ken`);
    seen.add(file);
    for (const { path: next, kind } of inputs[file].imports)
      if (kind === 'import-statement' && next.startsWith('src/')) visit(next);
  };
  roots.forEach(visit);
  return seen;
}

/** Where a run begins; the tests begin with a command line of their own. */
const STARTS = ['src/main.ts', 'src/library.ts', 'src/entry/cli/run-cli.ts', 'src/entry/cli/registry.ts'];

/** Imports of a source from another layer, and the entry point. */
function crossings(inputs, layerOf) {
  const imported = sourcesIn(inputs).flatMap((file) =>
    inputs[file].imports
      .filter(({ external }) => !external)
      .map(({ path: target, original }) => (target.startsWith('src/') ? target : original))
      .filter((name) => layerOf(name) !== layerOf(file)),
  );
  return [...STARTS, ...imported];
}

/**
 * The text of a layer's entry: a function from a name to what that module exports. Nobody assigns to an export, so that
 * a copy of them, which is faster to read than esbuild's getters, stays true.
 */
function entryOf({ exported }) {
  const rows = exported.map((name) => {
    const specifier = JSON.stringify(name.startsWith('src/') ? `./${name}` : name);
    return `${JSON.stringify(name)}:()=>require(${specifier})`;
  });
  return `const modules={${rows}},loaded={};module.exports=(name)=>loaded[name]??={...modules[name]()};`;
}

/** An esbuild plugin: a layer takes what another one holds from that one's file, when it is first wanted. */
function linked(layer, layers) {
  const sources = path.join(root, 'src');
  return {
    name: 'linked',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path: name, importer, resolveDir, namespace }) => {
        if (namespace === 'layer') return { path: name, external: true };
        if (!importer.startsWith(sources) || isBuiltin(name)) return undefined;
        const file = name.startsWith('.') ? path.relative(root, path.join(resolveDir, name)) : name;
        return layer.holds(file) ? undefined : { path: file, namespace: 'layer' };
      });
      build.onLoad({ filter: /./, namespace: 'layer' }, ({ path: file }) => {
        const { name } = layers.find(({ holds }) => holds(file));
        return { contents: `module.exports=require('./${name}.cjs')(${JSON.stringify(file)});` };
      });
    },
  };
}
