/** JavaScript of an attacker's own in the place of the runner, under the real flags: what can it reach? */

import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startRunner } from '../../src/adapters/wasm/process/runner-process.ts';
import { encode } from '../../src/adapters/wasm/wire/codec.ts';
import { frame, fromRunner } from '../../src/adapters/wasm/wire/messages.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { snapshot } from './escape-world.ts';

const READY = frame(encode(fromRunner, { tag: 'ready', val: { isConfined: true } })).toString('base64');

/** Tries everything once ken has sent a byte, and tells by `refused` messages what each attempt gave. */
const attempts = (place: string, port: number) => `
const fs = require('node:fs');
const { Buffer } = require('node:buffer');
fs.writeSync(1, Buffer.from('${READY}', 'base64'));
fs.readSync(0, Buffer.alloc(1));
const tell = (text) => {
  const field = (value) => { const b = Buffer.from(value); const h = Buffer.alloc(4); h.writeUInt32LE(b.length); return Buffer.concat([h, b]); };
  const body = Buffer.concat([Buffer.from([4, 5]), field(text), Buffer.from([0])]);
  const head = Buffer.alloc(4); head.writeUInt32LE(body.length);
  fs.writeSync(1, Buffer.concat([head, body]));
};
const attempt = (name, work) => {
  let gave;
  try { gave = 'did ' + work(); } catch (error) { gave = 'failed'; }
  tell(name + ': ' + gave);
};
const place = ${JSON.stringify(place)};
attempt('read', () => fs.readFileSync('/etc/passwd'));
attempt('read itself', () => fs.readFileSync(__filename));
attempt('environment of ken', () => fs.readFileSync('/proc/' + process.ppid + '/environ'));
attempt('own environment', () => { if (Object.keys(process.env).length === 0) throw new Error('empty'); });
attempt('write', () => fs.writeFileSync(place + '/written', ''));
attempt('mkdir', () => fs.mkdirSync(place + '/made'));
attempt('unlink', () => fs.unlinkSync(place + '/file'));
attempt('rename', () => fs.renameSync(place + '/file', place + '/renamed'));
attempt('link', () => fs.linkSync(place + '/file', place + '/linked'));
attempt('symlink', () => fs.symlinkSync('/etc', place + '/symlink'));
attempt('chmod', () => fs.chmodSync(place + '/file', 0o777));
attempt('list', () => fs.readdirSync(place));
attempt('exec', () => require('node:child_process').execFileSync('/bin/sh', ['-c', 'echo > ' + place + '/executed']));
attempt('spawn', () => { const c = require('node:child_process').spawnSync('/bin/true'); if (c.error) throw c.error; });
attempt('fork', () => require('node:child_process').fork(__filename));
attempt('thread', () => new (require('node:worker_threads').Worker)('', { eval: true }));
attempt('addon', () => process.dlopen({ exports: {} }, '/usr/lib/x.node'));
attempt('binding', () => process.binding('fs'));
attempt('linked binding', () => process._linkedBinding('fs'));
attempt('inspector', () => require('node:inspector').open(0));
attempt('sqlite', () => new (require('node:sqlite').DatabaseSync)(place + '/database'));
attempt('report', () => process.report.writeReport(place + '/report.json'));
attempt('heap snapshot', () => require('node:v8').writeHeapSnapshot(place + '/heap'));
attempt('trace', () => require('node:trace_events').createTracing({ categories: ['v8'] }).enable());
attempt('wasi', () => new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }));
attempt('chdir', () => process.chdir(place));
attempt('open descriptors', () => fs.openSync('/dev/null', 'r'));
attempt('signal to ken', () => process.kill(${process.pid}, 0));
for (const name of ${JSON.stringify(builtinModules)}) {
  let module; try { module = require(name); } catch { continue; }
  for (const key of Object.keys(module)) {
    if (/exit|abort|kill|pause|debug|wait|read|question|pipeline|stdin|stdout|stderr|prompt/i.test(key) || /^(repl|test|cluster|readline|process)/.test(name)) continue;
    for (const given of [[place + '/' + key], [place + '/file', place + '/' + key], [place + '/file', 'x', () => {}]]) {
      try { const value = typeof module[key] === 'function' ? module[key](...given) : undefined; if (value && typeof value.catch === 'function') value.catch(() => {}); } catch {}
    }
  }
}
const socket = require('node:net').connect({ port: ${port}, host: '127.0.0.1' });
socket.on('connect', () => { tell('network: did connect'); tell('over: '); });
socket.on('error', () => { tell('network: failed'); tell('over: '); });
`;

it.runIf(process.platform === 'linux')(
  'reaches nothing by any module of Node',
  { timeout: 120_000 },
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const place = temporaryDirectory();
    writeFileSync(path.join(place, 'file'), 'content');
    const script = path.join(temporaryDirectory(), 'attacker.cjs');
    writeFileSync(script, attempts(place, port));
    const before = snapshot(place);

    const runner = await startRunner({ file: script, reads: [] });
    const told: string[] = [];
    const { promise: over, resolve } = Promise.withResolvers<void>();
    runner.longestMessage = 10_000;
    runner.listen({
      onMessage(message) {
        if (message.tag !== 'refused') throw new Error('not told');
        if (message.val.message === 'over: ') resolve();
        else told.push(message.val.message);
      },
      onEnd: () => resolve(),
    });
    runner.send({ tag: 'answer', val: new Uint8Array() });
    await over;
    await runner.end();

    const { hasNamespaces } = runner.walls;
    const did = told.filter((line) => !line.endsWith(': failed'));
    expect(did).toEqual(hasNamespaces ? [] : ['signal to ken: did true']);
    expect(told.length).toBeGreaterThanOrEqual(28);
    expect(snapshot(place)).toBe(before);
  },
);

const MIB = 1024 ** 2;

it.runIf(existsSync('/proc/self')).for([
  ['spins', 'for (;;);'],
  ['takes memory', `globalThis.kept = Buffer.alloc(${300 * MIB}, 1); fs.readSync(0, Buffer.alloc(1));`],
] as const)('is ended when it %s while nobody calls it', async ([, work]) => {
  const script = path.join(temporaryDirectory(), 'restless.cjs');
  writeFileSync(
    script,
    `const fs = require('node:fs'); const { Buffer } = require('node:buffer');
    fs.writeSync(1, Buffer.from('${READY}', 'base64')); ${work}`,
  );
  const runner = await startRunner({ file: script, reads: [] });
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  runner.listen({ onMessage() {}, onEnd: ({ signal }) => resolve(signal) });
  runner.isReferenced = true;
  runner.watchIdle({ mostBytes: 200 * MIB, mostProcessorMs: 300 });
  expect(await ended).toBe('SIGKILL');
});

it.runIf(existsSync('/proc/self'))(
  'cannot take more memory than it may while ken does not look',
  async () => {
    const script = path.join(temporaryDirectory(), 'greedy.cjs');
    writeFileSync(
      script,
      `const fs = require('node:fs'); const { Buffer } = require('node:buffer');
    fs.writeSync(1, Buffer.from('${READY}', 'base64')); fs.readSync(0, Buffer.alloc(1));
    const kept = [];
    try { for (;;) kept.push(Buffer.alloc(${10 * MIB}, 1)); } catch {}`,
    );
    const runner = await startRunner({ file: script, reads: [] }, 200 * MIB);
    const { promise: told, resolve } = Promise.withResolvers<void>();
    runner.listen({ onMessage: () => {}, onEnd: () => resolve() });
    runner.isReferenced = true;
    runner.send({ tag: 'answer', val: new Uint8Array() });
    const peak = { bytes: 0 };
    const watch = setInterval(() => {
      peak.bytes = Math.max(peak.bytes, runner.residentBytes());
    }, 5);
    await told;
    clearInterval(watch);
    expect(peak.bytes).toBeGreaterThan(150 * MIB);
    expect(peak.bytes).toBeLessThan(350 * MIB);
  },
);

it.runIf(existsSync('/proc/self'))('leaves no process behind when it is ended', async () => {
  const script = path.join(temporaryDirectory(), 'endless.cjs');
  const bytes = `require('node:buffer').Buffer.from('${READY}', 'base64')`;
  writeFileSync(script, `require('node:fs').writeSync(1, ${bytes}); for (;;);`);
  const runner = await startRunner({ file: script, reads: [] });
  const running = () =>
    readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(script)).length;
  expect(running()).toBeGreaterThan(0);
  await runner.end();
  // The wrapper is gone; the kernel ends what it had started at the same time.
  for (let at = 0; at < 100 && running() > 0; at++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(running()).toBe(0);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
