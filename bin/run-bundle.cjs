// Runs the bundle with what V8 compiled of it before. Node's own require would run it as well, but its cache keeps files
// as they are compiled at first: without their functions, which are compiled when they are called. What is kept here is
// all that a command had compiled when it ended.
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Script, constants } = require('node:vm');

const SIMPLY = { compile: (_, code, options) => new Script(code, options) };

/** Runs a CommonJS file and what it requires. */
function runBundle(main) {
  const compiler = openCompiler(main, process.argv.slice(2));
  const modules = new Map();

  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const directory = path.dirname(file);
    const requireHere = (name) => (name.startsWith('.') ? load(path.join(directory, name)) : require(name));
    const run = compiler.compile(file, wrapped(file), optionsFor(file)).runInThisContext();
    run(module.exports, requireHere, module, file, directory);
    return module.exports;
  }

  load(main);
}

/** As Node wraps it. */
function wrapped(file) {
  return `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`;
}

function optionsFor(file) {
  return { filename: file, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
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
