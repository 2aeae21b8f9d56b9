/** JavaScript of an attacker in the place of the runner: it tries every module of Node that reaches outside. */

import { builtinModules } from 'node:module';

/** Where the attempts aim. */
export interface Targets {
  /** A directory with `file`, `empty.cjs` and a listening `socket`. */
  readonly place: string;
  readonly port: number;
  readonly udpPort: number;
  /** A process that does nothing. */
  readonly pid: number;
  /** An addon that Node can load. */
  readonly addon: string;
  /** The bytes that say that the process is ready. */
  readonly ready: Uint8Array;
}

/**
 * Each is the body of an asynchronous function that throws when it fails. `at` joins a name to the place; `connects`
 * resolves when a socket is connected.
 */
export const ATTEMPTS: Readonly<Record<string, string>> = {
  // At the start, as V8 crashes at it after some of the others.
  'write a heap snapshot': "require('node:v8').writeHeapSnapshot(at('heap'))",
  'read a file': "fs.readFileSync('/etc/passwd')",
  'read its own file': 'fs.readFileSync(__filename)',
  'read the environment of ken': "fs.readFileSync('/proc/' + process.ppid + '/environ')",
  'see variables': "if (Object.keys(process.env).length === 0) throw new Error('empty')",
  'look at a file': "fs.lstatSync(at('file'))",
  'look whether a file is there': "fs.accessSync(at('file'))",
  'list a directory': 'fs.readdirSync(place)',
  'open a directory': 'fs.opendirSync(place)',
  'open a device': "fs.openSync('/dev/null', 'r')",
  'read by promises': "await fs.promises.readFile(at('file'))",
  'read a stream': "for await (const part of fs.createReadStream(at('file'))) part.length",
  'open a blob': "await (await fs.openAsBlob(at('file'))).text()",
  'watch a directory': 'await watches(fs.watch(place))',
  'write a file': "fs.writeFileSync(at('written'), '')",
  'append to a file': "fs.appendFileSync(at('appended'), 'x')",
  'copy a file': "fs.cpSync(at('file'), at('copied'))",
  'make a directory': "fs.mkdirSync(at('made'))",
  'make a temporary directory': "fs.mkdtempSync(at('made-'))",
  'change a mode': "fs.chmodSync(at('file'), 0o777)",
  'change an owner': "fs.chownSync(at('file'), process.getuid(), process.getgid())",
  'change a time': "fs.utimesSync(at('file'), 1, 1)",
  'truncate a file': "fs.truncateSync(at('file'), 1)",
  'make a link': "fs.linkSync(at('file'), at('linked'))",
  'make a symbolic link': "fs.symlinkSync('/etc', at('symlink'))",
  'rename a file': "fs.renameSync(at('linked'), at('renamed'))",
  'remove a file': "fs.unlinkSync(at('renamed'))",
  'change its directory': 'process.chdir(place)',
  'find a file left open': LEFT_OPEN(),
  'run a program': "child('execFileSync')('/bin/true')",
  'run a shell': "child('execSync')('echo > ' + at('executed'))",
  'spawn a program':
    "await new Promise((did, failed) => child('spawn')('/bin/true').on('exit', did).on('error', failed))",
  'fork itself': "child('fork')(at('empty.cjs')).kill()",
  'fork a cluster':
    "require('node:cluster').setupPrimary({ exec: at('empty.cjs') }); require('node:cluster').fork().kill()",
  'start a thread':
    "await new Promise((did, failed) => new (require('node:worker_threads').Worker)('', { eval: true }).on('exit', did).on('error', failed))",
  'load an addon': 'process.dlopen({ exports: {} }, addon)',
  'require an addon': 'require(addon)',
  'require a file': "require(at('empty.cjs'))",
  'import a file': "await import(at('empty.cjs'))",
  'read a file from imported code': `await import('data:text/javascript,import fs from "node:fs"; fs.readFileSync("/etc/passwd")')`,
  'register hooks of the loader': "require('node:module').register('data:text/javascript,', 'file:///')",
  'keep compiled code':
    "if (require('node:module').enableCompileCache(at('cache')).status !== 1) throw new Error('no')",
  'take an internal binding': "process.binding('fs')",
  'open the debugger': "require('node:inspector').open(0, '127.0.0.1'); require('node:inspector').close()",
  'attach to itself': 'const s = new (require("node:inspector").Session)(); s.connect(); s.disconnect()',
  'use SQLite': "new (require('node:sqlite').DatabaseSync)(at('database')).exec('CREATE TABLE t (x)')",
  'use SQLite in memory': "new (require('node:sqlite').DatabaseSync)(':memory:')",
  'use WASI': "new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': place } })",
  'write a report': "process.report.writeReport(at('report.json'))",
  'load variables from a file': "process.loadEnvFile(at('file'))",
  'signal another process': "process.kill(pid, 'SIGCONT')",
  'slow another process': "require('node:os').setPriority(pid, 19)",
  'debug another process': 'process._debugProcess(pid)',
  'connect to a port': "await connects(require('node:net').connect(port, '127.0.0.1'))",
  'listen at a port': "await listens(require('node:net').createServer().listen(0, '127.0.0.1'))",
  'connect to a socket': "await connects(require('node:net').connect(at('socket')))",
  'connect to an abstract socket': "await connects(require('node:net').connect('\\0' + place))",
  'listen at a socket': "await listens(require('node:net').createServer().listen(at('listening')))",
  'send a datagram':
    "await new Promise((did, failed) => { const s = require('node:dgram').createSocket('udp4').on('error', failed); s.send('x', udpPort, '127.0.0.1', (e) => { s.close(); e ? failed(e) : did(); }); })",
  'listen for datagrams':
    "await new Promise((did, failed) => { const s = require('node:dgram').createSocket('udp4').on('error', failed); s.bind(0, '127.0.0.1', () => { s.close(); did(); }); })",
  'look up a name': "await require('node:dns').promises.lookup('localhost')",
  'ask a name server':
    "const r = new (require('node:dns').promises.Resolver)({ timeout: 300, tries: 1 }); r.setServers(['127.0.0.1:' + udpPort]); await r.resolve4('x.test').catch((e) => { if (e.code !== 'ETIMEOUT' && e.code !== 'EBADRESP') throw e; })",
  'send a request':
    "await new Promise((did, failed) => require('node:http').get({ port, host: '127.0.0.1', agent: false }, (r) => did(r.resume())).on('error', failed))",
  'connect by TLS': "await connects(require('node:tls').connect(port, '127.0.0.1'))",
  'connect by HTTP/2': "await connects(require('node:http2').connect('http://127.0.0.1:' + port))",
  fetch: "await fetch('http://127.0.0.1:' + port)",
  'see network interfaces':
    "if (!Object.values(require('node:os').networkInterfaces()).flat().some(({ mac }) => mac)) throw new Error('none')",
  'see who runs it': "if (require('node:os').userInfo().username === 'nobody') throw new Error('nobody')",
  // The last one: where it succeeds, nothing is left to tell of it.
  'become another program': "process.execve('/bin/true', ['true'], {})",
};

/** Regular files, directories and sockets among the descriptors that it inherited. */
function LEFT_OPEN(): string {
  return `const kinds = [];
    for (let fd = 3; fd < 256; fd++) try { const s = fs.fstatSync(fd); kinds.push(s.isFile() || s.isDirectory() || s.isSocket()); } catch {}
    if (!kinds.includes(true)) throw new Error('none')`;
}

/** Calls everything that modules export, with paths. What comes of it is not asked. */
const CALL_EVERYTHING = `for (const name of ${JSON.stringify(builtinModules)}) {
  let module; try { module = require(name); } catch { continue; }
  for (const key of Object.keys(module)) {
    if (/exit|abort|kill|pause|debug|wait|read|question|pipeline|stdin|stdout|stderr|prompt/i.test(key) || /^(repl|test|cluster|readline|process)/.test(name)) continue;
    for (const given of [[at(key)], [at('file'), at(key)], [at('file'), 'x', () => {}]]) {
      try { const value = typeof module[key] === 'function' ? module[key](...given) : undefined; if (value && typeof value.catch === 'function') value.catch(() => {}); } catch {}
    }
  }
}`;

/** A script that waits for a byte from ken, tries everything, and says what each attempt gave as a refusal. */
export function attackerScript(targets: Targets, callsEverything: boolean): string {
  const { place, port, udpPort, pid, addon, ready } = targets;
  const attempts = Object.entries(ATTEMPTS).map(
    ([name, body]) => `await attempt(${JSON.stringify(name)}, async () => { ${body}; });`,
  );
  return `const fs = require('node:fs');
const { Buffer } = require('node:buffer');
const { place, port, udpPort, pid, addon } = ${JSON.stringify({ place, port, udpPort, pid, addon })};
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
fs.writeSync(1, Buffer.from('${Buffer.from(ready).toString('base64')}', 'base64'));
fs.readSync(0, Buffer.alloc(1));
const tell = (text) => {
  const field = Buffer.from(text);
  const body = Buffer.concat([Buffer.from([4, 5, 0, 0, 0, 0]), field, Buffer.from([0, 0])]);
  body.writeUInt32LE(field.length, 2);
  const head = Buffer.alloc(4); head.writeUInt32LE(body.length);
  fs.writeSync(1, Buffer.concat([head, body]));
};
const at = (name) => place + '/' + name;
const child = (name) => require('node:child_process')[name];
const event = (name) => (emitter) => new Promise((did, failed) => emitter.once('error', failed).once(name, did))
  .finally(() => (emitter.destroy ?? emitter.close).call(emitter));
const [connects, listens] = [event('connect'), event('listening')];
const watches = (watcher) => new Promise((did, failed) => { watcher.on('error', failed); setTimeout(did, 50); }).finally(() => watcher.close());
const attempt = async (name, work) => {
  let gave;
  const late = new Promise((_, failed) => setTimeout(failed, 3000, new Error('late')).unref());
  try { await Promise.race([work(), late]); gave = 'did'; } catch { gave = 'failed'; }
  tell(gave + ' ' + name);
};
(async () => {
${attempts.join('\n')}
${callsEverything ? CALL_EVERYTHING : ''}
tell('over');
})();
`;
}
