// Runs the bundle with the code that V8 compiled in earlier runs. Node's own compile cache keeps a file as it is compiled
// at first: without its functions, which are compiled when they are called. This one keeps all that a command had
// compiled when it ended, in one file per command.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

/** A command is run in different ways, which call different functions; this many of them are learned from. */
const MOST_WAYS = 8;
const SHORT_MICROSECONDS = 1_000_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const NO_CACHE = { data: () => undefined, add() {} };

/** Files on disk. `place` is a path that tells copies of ken apart. */
const ON_DISK = {
  place: (main) => main,
  // The build writes ASCII only.
  text: (file) => fs.readFileSync(file, 'latin1'),
  identity: identityOf,
  native: (file) => require(file),
};

/** Runs a CommonJS file and the files beside it that it requires. `files` says where these are. */
function runBundle(main, files = ON_DISK) {
  const directory = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheDirectory();
  const cache = directory ? openCache(directory, files.place(main), process.argv.slice(2)) : NO_CACHE;
  const modules = new Map();

  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    const requireHere = (name) => {
      if (!name.startsWith('./')) return require(name);
      const wanted = path.join(path.dirname(file), name);
      return name === NATIVE ? files.native(wanted) : load(wanted);
    };
    compile(file, files, cache)(module.exports, requireHere, module, file, path.dirname(file));
    // Not before: what could not be loaded is tried again.
    modules.set(file, module);
    return module.exports;
  }

  load(main);
}

/** A script that V8 took from a cache cannot import modules; this file does it for all of them. */
const NATIVE = './native-import.cjs';

function compile(file, files, cache) {
  const name = path.basename(file);
  const check = files.identity(file);
  const text = files.text(file);
  const code = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  const script = new Script(code, { filename: file, cachedData: cache.data(name, check) });
  cache.add(name, check, script);
  return script.runInThisContext();
}

/** Changes with every write to the file, and when another one takes its place. */
function identityOf(file) {
  const { size, ino, mtimeMs, ctimeMs } = fs.statSync(file);
  return [size, ino, mtimeMs, ctimeMs].join(' ');
}

/** Undefined where a repository could have put code: what is kept in this directory is executed. */
function cacheDirectory() {
  const named = namedDirectory();
  const directory = named && realPath(path.resolve(named));
  return directory && !isForeign(directory) ? directory : undefined;
}

/** Never in a shared temporary directory. */
function namedDirectory() {
  const { KEN_HOME, XDG_CACHE_HOME, HOME } = process.env;
  if (KEN_HOME) return `${KEN_HOME}/cache/compiled`;
  if (XDG_CACHE_HOME?.startsWith('/')) return `${XDG_CACHE_HOME}/ken/compiled`;
  return HOME && `${HOME}/.cache/ken/compiled`;
}

/** Follows links as far as the path exists. */
function realPath(directory) {
  try {
    return fs.realpathSync(directory);
  } catch {
    const parent = path.dirname(directory);
    return parent === directory ? directory : path.join(realPath(parent), path.basename(directory));
  }
}

/** Whether the directory lies in a workspace, in a clone, or in the directory that ken is run in. */
function isForeign(directory) {
  const here = workingDirectory();
  for (let above = directory; ; above = path.dirname(above)) {
    const isMarked = above === here || MARKS.some((mark) => isThere(`${above}/${mark}`));
    if (isMarked && !isAroundHome(above, directory)) return true;
    if (above === path.dirname(above)) return false;
  }
}

const MARKS = ['.ken', '.git'];

/** The account's own home may be a workspace, and holds its cache; its `.ken` and `.git` do not. */
function isAroundHome(above, directory) {
  const home = accountHome();
  return isBelow(home, above) && !MARKS.some((mark) => isBelow(directory, `${above}/${mark}`));
}

/** A directory is below itself. */
function isBelow(file, directory) {
  return file === directory || file.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

/** Asks the account, not the environment. */
function accountHome() {
  try {
    return realPath(require('node:os').userInfo().homedir);
  } catch {
    return '/nonexistent';
  }
}

function workingDirectory() {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

function isThere(file) {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function openCache(directory, main, words) {
  const file = path.join(directory, fileName(main, words));
  const way = wayOf(words);
  const { ways, parts } = readCache(directory, file);
  const used = new Map();
  let isLearning = !ways.includes(way) && ways.length < MOST_WAYS;

  process.on('exit', (code) => {
    // What failed may have ended before most of it was called, and a word that is no command is not worth a file. In a
    // long run V8 drops what was not called for a while, and has compiled what later runs do not call: a first index.
    if (!isLearning || code !== 0 || process.cpuUsage().user >= SHORT_MICROSECONDS) return;
    const learned = new Set([...ways, way]);
    const unused = [...parts].filter(([name]) => !used.has(name));
    const content = () => encode([...learned], [...[...used].map(compiledPart), ...unused]);
    if (replace(directory, file, content)) removeOld(directory);
  });

  return {
    /** V8 itself compares only the length of the text. */
    data: (name, check) => (parts.get(name)?.check === check ? parts.get(name).data : undefined),
    add(name, check, script) {
      if (script.cachedDataRejected !== false) isLearning = true;
      used.set(name, { check, script });
    },
  };
}

function compiledPart([name, { check, script }]) {
  return [name, { check, data: script.createCachedData() }];
}

/** Copies of ken, and of Node, do not share a file. */
function fileName(main, words) {
  const command = isName(words[0] ?? '') ? words[0] : 'ken';
  return `${process.version}-${process.arch}-${hashOf(main).toString(16)}-${command}`;
}

function isName(word) {
  return /^[a-z][a-z-]{0,19}$/.test(word);
}

/** The subcommand and the options, as a number: what people ask is not written down here. */
function wayOf(words) {
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0]);
  const names = words.filter((word) => !word.startsWith('-')).slice(1, 2);
  return hashOf([...names.filter(isName), ...options.sort()].join(' '));
}

/** FNV-1a. Node's checksums come with its streams, which take longer to load than all of this. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The length of the index. */
const HEAD_BYTES = 8;

/** Empty if the cache is damaged or not this account's own: V8 would run it all the same. */
function readCache(directory, file) {
  const parts = new Map();
  try {
    const bytes = isOwnDirectory(directory) ? undamaged(readOwn(file)) : undefined;
    if (!bytes) return { ways: [], parts };
    const indexEnd = HEAD_BYTES + bytes.readUInt32LE(0);
    const { ways, entries } = JSON.parse(bytes.toString('utf8', HEAD_BYTES, indexEnd));
    let start = aligned(indexEnd);
    for (const [name, check, length] of entries) {
      parts.set(name, { check, data: bytes.subarray(start, start + length) });
      start = aligned(start + length);
    }
    return { ways, parts };
  } catch {
    return { ways: [], parts: new Map() };
  }
}

/** The content is there twice: comparing takes less than loading a checksum. */
function undamaged(bytes) {
  const half = bytes && bytes.length / 2;
  return bytes?.subarray(0, half).equals(bytes.subarray(half)) ? bytes.subarray(0, half) : undefined;
}

/** The owner and the content of one and the same file, whatever takes its place meanwhile. */
function readOwn(file) {
  const descriptor = fs.openSync(
    file,
    fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
  );
  try {
    const stats = fs.fstatSync(descriptor);
    return stats.isFile() && isOwn(stats) ? fs.readFileSync(descriptor) : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Nobody else can write there. As root with the home of another account, nothing of theirs is run. */
function isOwn({ uid, mode }) {
  return uid === process.getuid() && (mode & 0o077) === 0;
}

function isOwnDirectory(directory) {
  const stats = fs.lstatSync(directory);
  return stats.isDirectory() && isOwn(stats);
}

function encode(ways, parts) {
  const entries = parts.map(([name, { check, data }]) => [name, check, data.length]);
  const index = Buffer.from(JSON.stringify({ ways, entries }));
  const pieces = [index, ...parts.map(([, { data }]) => data)];
  const bytes = Buffer.concat([Buffer.alloc(HEAD_BYTES), ...pieces.map(padded)]);
  bytes.writeUInt32LE(index.length, 0);
  return Buffer.concat([bytes, bytes]);
}

/** V8 need not copy what begins at such a place. */
function aligned(length) {
  return Math.ceil(length / 8) * 8;
}

function padded(bytes) {
  return Buffer.concat([bytes], aligned(bytes.length));
}

/** Where nothing can be written, everything works, only slower. */
function replace(directory, file, content) {
  const fresh = `${file}.${process.pid}.new`;
  try {
    makeDirectory(directory);
    if (!isOwnDirectory(directory)) return false;
    fs.writeFileSync(fresh, content(), { mode: 0o600, flag: 'wx' });
    fs.renameSync(fresh, file);
    return true;
  } catch {
    removeIfPossible(fresh);
    return false;
  }
}

/** Step by step: `recursive` never ends where nothing can be made, as in /proc. */
function makeDirectory(directory) {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT') throw error;
    makeDirectory(path.dirname(directory));
    fs.mkdirSync(directory, { mode: 0o700 });
  }
}

function removeOld(directory) {
  try {
    const before = Date.now() - KEPT_MS;
    for (const name of fs.readdirSync(directory)) {
      const file = path.join(directory, name);
      if (fs.statSync(file).mtimeMs < before) removeIfPossible(file);
    }
  } catch {
    // Another process was faster.
  }
}

function removeIfPossible(file) {
  try {
    fs.rmSync(file, { force: true, recursive: true });
  } catch {
    // Where nothing can be written, nothing was.
  }
}

exports.runBundle = runBundle;
exports.identityOf = identityOf;
