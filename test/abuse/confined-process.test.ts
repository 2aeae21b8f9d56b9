/** JavaScript of an attacker's own in the place of the runner, under the real flags: what can it reach? */

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyLimits, confinedNode } from '../../src/adapters/wasm/process/confinement.ts';
import { GuestProcess } from '../../src/adapters/wasm/process/guest-process.ts';
import { startRunner } from '../../src/adapters/wasm/process/runner-process.ts';
import { translate } from '../../src/adapters/wasm/process/translate.ts';
import { encode } from '../../src/adapters/wasm/wire/codec.ts';
import { frame, fromRunner } from '../../src/adapters/wasm/wire/messages.ts';
import type { SandboxWalls } from '../../src/domain/tools/component-host.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { snapshot } from './escape-world.ts';
import { ATTEMPTS, attackerScript } from './runner-attempts.ts';

const READY = frame(encode(fromRunner, { tag: 'ready', val: { isConfined: true } }));
const isLinux = process.platform === 'linux';
const SAY_READY = `fs.writeSync(1, Buffer.from('${READY.toString('base64')}', 'base64'));`;

interface Attacked {
  readonly did: readonly string[];
  readonly failed: readonly string[];
  /** Connections and datagrams that came in from it. */
  readonly arrived: number;
  readonly changes: boolean;
  readonly walls: SandboxWalls;
}

type Start = (
  script: string,
  listen: (told: string) => void,
) => Promise<{ go(): void; end(): Promise<void>; readonly walls: SandboxWalls }>;

const addon = createRequire(import.meta.url).resolve(`@rolldown/binding-linux-${process.arch}-gnu`);

async function attack(start: Start, callsEverything: boolean): Promise<Attacked> {
  const place = temporaryDirectory();
  for (const name of ['file', 'empty.cjs']) writeFileSync(path.join(place, name), '// nothing');
  let arrived = 0;
  const count = () => {
    arrived += 1;
  };
  const server = createServer((_, response) => response.end()).on('connection', count);
  const sockets = [path.join(place, 'socket'), `\0${place}`].map((at) =>
    createSocketServer((socket) => socket.end())
      .on('connection', count)
      .listen(at),
  );
  const udp = createSocket('udp4').on('message', count);
  const idle = spawn('sleep', ['100']);
  server.listen(0, '127.0.0.1');
  udp.bind(0, '127.0.0.1');
  await Promise.all([server, udp, ...sockets].map((each) => once(each, 'listening')));
  onTestFinished(() => {
    idle.kill('SIGKILL');
    for (const each of [server, udp, ...sockets]) each.close();
  });
  const { port } = server.address() as AddressInfo;
  const targets = { place, port, udpPort: udp.address().port, pid: idle.pid ?? 0, addon, ready: READY };
  const script = path.join(temporaryDirectory(), 'attacker.cjs');
  writeFileSync(script, attackerScript(targets, callsEverything));
  const before = snapshot(place);

  const told: string[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const attacker = await start(script, (text) => (text === 'over' ? resolve() : told.push(text)));
  attacker.go();
  await over;
  await attacker.end();
  const those = (how: string) =>
    told.filter((text) => text.startsWith(`${how} `)).map((text) => text.slice(how.length + 1));
  const isAlive = idle.exitCode === null && idle.signalCode === null;
  const changes = snapshot(place) !== before || !isAlive || getPriority(idle.pid) !== getPriority();
  return { did: those('did'), failed: those('failed'), arrived, changes, walls: attacker.walls };
}

/** Under the real flags, limits and namespaces. */
const confined: Start = async (file, listen) => {
  const runner = await startRunner({ file, reads: [] });
  runner.longestMessage = 10_000;
  runner.listen({
    onMessage: (message) => listen(message.tag === 'refused' ? message.val.message : 'over'),
    onEnd: () => listen('over'),
  });
  const { walls } = runner;
  return { go: () => runner.send({ tag: 'answer', val: new Uint8Array() }), end: () => runner.end(), walls };
};

/** Under some of the walls only; under none, it finds a variable and an open file, too. */
const underSome =
  ({ hasFlags, hasLimits }: { hasFlags: boolean; hasLimits: boolean }): Start =>
  async (file, listen) => {
    const left = openSync(import.meta.filename, 'r');
    const child = spawn(process.execPath, hasFlags ? confinedNode(file, []).command.slice(1) : [file], {
      cwd: '/',
      env: hasFlags ? {} : { SOME: 'variable' },
      stdio: ['pipe', 'pipe', 'ignore', ...(hasFlags ? [] : [left])],
    });
    closeSync(left);
    let received = Buffer.alloc(0);
    const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
    child.stdout?.on('data', (bytes: Buffer) => {
      isReady();
      received = Buffer.concat([received, bytes]);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32LE()) {
        const message = received.subarray(4, 4 + received.readUInt32LE());
        received = received.subarray(4 + message.length);
        if (message.length > 6) listen(message.subarray(6, 6 + message.readUInt32LE(2)).toString());
      }
    });
    child.once('exit', () => listen('over'));
    await ready;
    if (hasLimits) await applyLimits(child.pid ?? 0, 1024 ** 3);
    const walls = { hasNamespaces: false, endsWithKen: false, hasLimits };
    return { go: () => void child.stdin?.write('x'), end: async () => void child.kill('SIGKILL'), walls };
  };

const LONG = { timeout: 120_000 };
const ALL = Object.keys(ATTEMPTS);

/** Node cannot stop these; the page on tools says what stays open on which system. */
const OTHER_PROCESSES = ['signal another process', 'slow another process', 'debug another process'];
const NETWORK = [
  ...['connect to a port', 'listen at a port', 'connect to a socket', 'connect to an abstract socket'],
  ...['listen at a socket', 'send a datagram', 'listen for datagrams', 'look up a name', 'ask a name server'],
  ...['send a request', 'connect by TLS', 'connect by HTTP/2', 'fetch', 'see network interfaces'],
];

it.runIf(isLinux)('reaches nothing by any module of Node', LONG, async () => {
  const { did, failed, arrived, changes, walls } = await attack(confined, true);
  const open = [...(walls.hasNamespaces ? [] : OTHER_PROCESSES), ...(walls.hasLimits ? [] : NETWORK)];
  expect(did).toEqual(open);
  expect([...did, ...failed].sort()).toEqual([...ALL].sort());
  if (open.length === 0) expect({ arrived, changes }).toEqual({ arrived: 0, changes: false });
});

it.runIf(isLinux)('reaches other processes where there are no namespaces', LONG, async () => {
  const { did, arrived } = await attack(underSome({ hasFlags: true, hasLimits: true }), false);
  expect({ did, arrived }).toEqual({ did: OTHER_PROCESSES, arrived: 0 });
});

it.runIf(isLinux)(
  'reaches the network and its own file, too, where Node is the only wall',
  LONG,
  async () => {
    const { did, arrived } = await attack(underSome({ hasFlags: true, hasLimits: false }), false);
    expect(did).toEqual(['read its own file', ...OTHER_PROCESSES, ...NETWORK, 'see who runs it']);
    expect(arrived).toBeGreaterThan(0);
  },
);

it.runIf(isLinux)('reaches everything in a process without walls', LONG, async () => {
  const { did, failed, changes } = await attack(underSome({ hasFlags: false, hasLimits: false }), false);
  // It becomes another program at last, and says no more.
  expect({ did, failed, changes }).toEqual({ did: ALL.slice(0, -1), failed: [], changes: true });
});

const MIB = 1024 ** 2;

it.runIf(existsSync('/proc/self')).for([
  ['spins', 'for (;;);'],
  ['takes memory', `globalThis.kept = Buffer.alloc(${300 * MIB}, 1); fs.readSync(0, Buffer.alloc(1));`],
] as const)('is ended when it %s while nobody calls it', async ([, work]) => {
  const script = path.join(temporaryDirectory(), 'restless.cjs');
  writeFileSync(
    script,
    `const fs = require('node:fs'); const { Buffer } = require('node:buffer');
    ${SAY_READY} ${work}`,
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
    ${SAY_READY} fs.readSync(0, Buffer.alloc(1));
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

it.runIf(isLinux)('runs under the limits and in the namespaces that its walls tell of', async () => {
  const script = path.join(temporaryDirectory(), 'waits.cjs');
  writeFileSync(script, `const fs = require('node:fs'); ${SAY_READY} fs.readSync(0, Buffer.alloc(1));`);
  const runner = await startRunner({ file: script, reads: [] });
  onTestFinished(() => runner.end());
  // Wrappers are other programs.
  const [pid = ''] = running(script).filter((each) => commandOf(each).startsWith(process.execPath));
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const none = ['open files', 'processes', 'file size', 'core file size'];
  const unlimited = none.filter((name) => !new RegExp(`^Max ${name} +0 +0 `, 'm').test(limits));
  expect(unlimited).toEqual(runner.walls.hasLimits ? [] : none);
  expect(/^Max data size +\d+ +\d+ /m.test(limits)).toBe(runner.walls.hasLimits);
  const spaces = ['ipc', 'net', 'pid', 'user', 'uts'];
  const space = (process: string, name: string) => readlinkSync(`/proc/${process}/ns/${name}`);
  const shared = spaces.filter((name) => space(pid, name) === space('self', name));
  expect(shared).toEqual(runner.walls.hasNamespaces ? [] : spaces);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
});

it('is not used when it says that Node denies it nothing', async () => {
  const script = path.join(temporaryDirectory(), 'free.cjs');
  const ready = frame(encode(fromRunner, { tag: 'ready', val: { isConfined: false } }));
  writeFileSync(
    script,
    `require('node:fs').writeSync(1, Buffer.from('${ready.toString('base64')}', 'base64'));`,
  );
  await expect(startRunner({ file: script, reads: [] })).rejects.toMatchObject({ code: 'wasm/instantiate' });
});

it.each([
  ['time', { timeoutMs: 50, mostBytes: 1024 * MIB }],
  ['memory', { timeoutMs: 1_000_000, mostBytes: 1 }],
])('is ended when it takes too much %s to load', async (_, limits) => {
  const script = path.join(temporaryDirectory(), 'deaf.cjs');
  writeFileSync(script, `const fs = require('node:fs'); ${SAY_READY} for (;;);`);
  const component = {
    key: 'deaf',
    facts: { sha256: '', sizeBytes: 0, imports: [], functions: [] },
    functions: [],
    parts: { glue: '', compiledGlue: undefined, modules: [], memoryPages: 1 },
    cacheCompiledGlue() {},
  };
  const runner = await startRunner({ file: script, reads: [] });
  const guest = new GuestProcess(component, runner, { memoryMib: 64, outputBytes: 1 });
  await expect(guest.load(limits)).rejects.toMatchObject(TOO_HARD);
  await guest.end();
  expect(runner.hasEnded).toBe(true);
});

it.each([
  ['time', { timeoutMs: 1, mostBytes: 1024 * MIB }],
  ['memory', { timeoutMs: 1_000_000, mostBytes: 1 }],
])('is ended when it takes too much %s to translate', async (_, limits) => {
  const component = readFileSync(path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm'));
  const { signal } = new AbortController();
  await expect(translate({ component, memoryMib: 64 }, signal, limits)).rejects.toMatchObject(TOO_HARD);
});

const TOO_HARD = {
  code: 'wasm/malformed',
  message: 'The component cannot be translated with the time and memory there are for it.',
};

it.runIf(existsSync('/proc/self'))('leaves no process behind when it is ended', async () => {
  const script = path.join(temporaryDirectory(), 'endless.cjs');
  writeFileSync(script, `const fs = require('node:fs'); ${SAY_READY} for (;;);`);
  const runner = await startRunner({ file: script, reads: [] });
  expect(running(script).length).toBeGreaterThan(0);
  await runner.end();
  // The wrapper is gone; the kernel ends what it had started at the same time.
  await expect.poll(() => running(script)).toEqual([]);
});

/** The processes that run a script, and those that wrap them. */
function running(script: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(script));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
