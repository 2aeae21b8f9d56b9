// What V8 compiled, kept in one file for each command.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/** A command is run in different ways, which call different functions: so many of them are learned from. */
const MOST_WAYS = 8;
const SHORT_MICROSECONDS = 1_000_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** For a run of the bundle that begins with the file `main`, with these words. */
function openCompiled(directory, main, words) {
  const file = path.join(directory, fileName(main, words));
  const way = wayOf(words);
  const { ways, parts } = readKept(file);
  const used = new Map();
  let isLearning = !ways.includes(way) && ways.length < MOST_WAYS;

  process.on('exit', (code) => {
    // What failed may have ended before most of it was called, and a word that is no command is not worth a file.
    if (!isLearning || code !== 0) return;
    const bundle = path.dirname(main);
    const unused = [...parts].filter(
      ([name]) => !used.has(name) && fs.existsSync(path.join(bundle, 'chunks', name)),
    );
    // V8 drops what was not called for a while: a long run is learned from, but so is the next one.
    const learned = process.cpuUsage().user < SHORT_MICROSECONDS ? new Set([...ways, way]) : ways;
    if (replace(file, () => encode({ ways: [...learned], parts: [...used, ...unused] })))
      removeOld(directory);
  });

  return {
    compile(source, code, options) {
      const name = path.basename(source);
      const check = crc32(code);
      const part = parts.get(name);
      // V8 itself compares only the lengths of the texts.
      const cachedData = part?.check === check ? part.data : undefined;
      const script = new Script(code, { ...options, cachedData });
      if (script.cachedDataRejected !== false) isLearning = true;
      used.set(name, {
        check,
        get data() {
          return script.createCachedData();
        },
      });
      return script;
    },
  };
}

/** Copies of ken, and of Node, do not share what is kept. */
function fileName(main, words) {
  const command = isName(words[0] ?? '') ? words[0] : 'ken';
  return `${process.version}-${process.arch}-${crc32(main).toString(16)}-${command}`;
}

function isName(word) {
  return /^[a-z][a-z-]{0,19}$/.test(word);
}

/** By its subcommand and options, and as a number: what people ask is not written down here. */
function wayOf(words) {
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0]);
  const names = words
    .filter((word) => !word.startsWith('-'))
    .slice(1, 2)
    .filter(isName);
  return crc32([...names, ...options.sort()].join(' '));
}

const NOTHING = { ways: [], parts: new Map() };
/** A checksum of all that follows, and the length of the index. */
const HEAD_BYTES = 8;

/** Nothing if it is damaged: V8 would run it all the same. */
function readKept(file) {
  try {
    if (!isOwn(file)) return NOTHING;
    const bytes = fs.readFileSync(file);
    if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return NOTHING;
    const indexEnd = HEAD_BYTES + bytes.readUInt32LE(4);
    const { ways, parts } = JSON.parse(bytes.toString('utf8', HEAD_BYTES, indexEnd));
    const found = new Map();
    let start = aligned(indexEnd);
    for (const [name, check, length] of parts) {
      found.set(name, { check, data: bytes.subarray(start, start + length) });
      start = aligned(start + length);
    }
    return { ways, parts: found };
  } catch {
    return NOTHING;
  }
}

function encode({ ways, parts }) {
  const taken = parts.map(([name, { check, data }]) => ({ name, check, data }));
  const entries = taken.map(({ name, check, data }) => [name, check, data.length]);
  const index = Buffer.from(JSON.stringify({ ways, parts: entries }));
  const head = Buffer.alloc(HEAD_BYTES);
  const bytes = Buffer.concat([head, ...[index, ...taken.map(({ data }) => data)].map(padded)]);
  bytes.writeUInt32LE(index.length, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

/** What begins at such a place V8 need not copy. */
function aligned(length) {
  return Math.ceil(length / 8) * 8;
}

function padded(bytes) {
  return Buffer.concat([bytes], aligned(bytes.length));
}

/** Without it everything works, only slower: who cannot write is not told. */
function replace(file, content) {
  const fresh = `${file}.${process.pid}.new`;
  try {
    makeDirectory(path.dirname(file));
    if (!isOwn(path.dirname(file))) return false;
    fs.writeFileSync(fresh, content(), { mode: 0o600, flag: 'wx' });
    fs.renameSync(fresh, file);
    return true;
  } catch {
    removeIfPossible(fresh);
    return false;
  }
}

/** Step by step: told to do it all, Node never ends where nothing can be made, as in /proc. */
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

/** As root with the home of another account, nothing of theirs is run, and nothing is left there. */
function isOwn(place) {
  return fs.statSync(place).uid === process.getuid();
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

exports.openCompiled = openCompiled;
