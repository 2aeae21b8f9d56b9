// Runs the bundle with what V8 compiled of it before. Node's own require would run it as well, but its cache keeps files
// as they are compiled at first: without their functions, which are compiled when they are called. What is kept here is
// all that a command had compiled when it ended.
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const SIMPLY = { compile: (_, code, options) => new Script(code, options) };

/** Runs a CommonJS file and what it requires. */
function runBundle(main) {
  const compiler = openCompiler(main, process.argv.slice(2));
  const modules = new Map();

  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    const directory = path.dirname(file);
    const requireHere = (name) => {
      if (!name.startsWith('.')) return require(name);
      const wanted = path.join(directory, name);
      return isNative(wanted) ? require(wanted) : load(wanted);
    };
    const run = compiler.compile(file, wrapped(file), { filename: file }).runInThisContext();
    run(module.exports, requireHere, module, file, directory);
    // Not before: what could not be loaded is tried again. No chunk requires itself by way of others.
    modules.set(file, module);
    return module.exports;
  }

  load(main);
}

/** As Node wraps it. */
function wrapped(file) {
  return `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`;
}

/** What only Node can do stands in a file of its own. */
function isNative(file) {
  return path.basename(file) === 'import-natively.cjs';
}

function openCompiler(main, words) {
  // It loads next to nothing.
  const isTrifle = words[0] === '--version';
  const directory = isTrifle || process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : compiledDirectory();
  return directory ? require('./compiled-code.cjs').openCompiled(directory, main, words) : SIMPLY;
}

/** Under the caller's own cache, never in a shared temporary directory: what is kept there is executed. */
function compiledDirectory() {
  const { KEN_HOME, XDG_CACHE_HOME, HOME } = process.env;
  if (KEN_HOME) return `${KEN_HOME}/cache/compiled`;
  if (XDG_CACHE_HOME?.startsWith('/')) return `${XDG_CACHE_HOME}/ken/compiled`;
  return HOME && `${HOME}/.cache/ken/compiled`;
}

exports.runBundle = runBundle;
