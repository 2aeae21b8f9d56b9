// The first script of the stand-alone binary: ken, or a part of it in a confined process. All other files of ken are
// assets of the binary.
'use strict';

const { writeSync } = require('node:fs');
const path = require('node:path');
const sea = require('node:sea');
const { constants, Script } = require('node:vm');
const { identityOf, runBundle } = require('./compiled-code.cjs');

/** Without a copy: the bytes are those of the binary. */
const assetOf = (file) => Buffer.from(sea.getRawAsset(file.slice('asset:/'.length)));

/** Node may import packages that its operator put beside the binary, and none of the current directory. */
const BESIDE = path.join(path.dirname(process.execPath), 'ken.js');

function evaluated(text) {
  const options = { filename: BESIDE, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  return new Script(text, options).runInThisContext();
}

const ASSETS = {
  place: () => process.execPath,
  text: (file) => assetOf(file).latin1Slice(),
  identity: (file) => `${identityOf(process.execPath)} ${file}`,
  native: () => ({ nativeImport: evaluated('(specifier) => import(specifier)') }),
};

/** Scripts that run in a process of their own, which Node allows nothing. */
const PARTS = {
  'guest-runner': 'asset:/dist/wasm/guest-runner.cjs',
  'translate-runner': 'asset:/dist/wasm/translate-runner.mjs',
  'extract-runner': 'asset:/dist/documents/extract-runner.mjs',
};

function runPart(name) {
  // The flags come in a variable: where they did not arrive, nothing confines what would run here.
  if (!process.permission || process.permission.has('fs.read', '/') || process.permission.has('child')) {
    process.stderr.write('This part of ken runs only in a confined process, which ken starts itself.\n');
    process.exit(1);
  }
  process.argv.splice(2, 2);
  const bytes = assetOf(PARTS[name]);
  if (PARTS[name].endsWith('.cjs'))
    return evaluated(`(function (require) {${bytes.latin1Slice()}\n})`)(require);
  return evaluated('(address) => import(address)')(`data:text/javascript;base64,${bytes.toString('base64')}`);
}

/** Answers whether it worked: the bundle says why not, or is quiet when the reader has gone. */
function printVersion() {
  try {
    writeSync(1, `${JSON.parse(assetOf('asset:/package.json').toString()).version}\n`);
    return true;
  } catch {
    return false;
  }
}

const [, , first, second] = process.argv;
if (first === '--run-part' && Object.hasOwn(PARTS, second ?? '')) void runPart(second);
else if (first !== '--version' || !printVersion()) runBundle('asset:/dist/main.cjs', ASSETS);
