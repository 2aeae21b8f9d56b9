/** A runner that was taken over: it sends whatever bytes it likes, and gets nothing beyond what was granted. */

import { EventEmitter } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { afterAll, expect, it } from 'vitest';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import { type GuestCall, GuestProcess } from '../../src/adapters/wasm/process/guest-process.ts';
import { type PipedProcess, RunnerProcess } from '../../src/adapters/wasm/process/runner-process.ts';
import { ByteWriter, decode, encode } from '../../src/adapters/wasm/wire/codec.ts';
import { type FromRunner, frame, fromRunner, toRunner } from '../../src/adapters/wasm/wire/messages.ts';
import {
  type Answered,
  answerOf,
  OPERATIONS,
  type Operation,
  type OperationName,
  operation,
} from '../../src/adapters/wasm/wire/operations.ts';
import { Fault } from '../../src/base/fault.ts';
import type { GrantedDirectory } from '../../src/domain/tools/component-host.ts';
import { parseAllowList } from '../../src/domain/web/allow-list.ts';
import type { HttpSender } from '../../src/domain/web/web-client.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { SECRET, snapshot } from './escape-world.ts';

const COUNT = scaled(100_000);
const never = new AbortController().signal;
const COMPONENT = {
  key: 'hostile',
  facts: { sha256: '', sizeBytes: 0, imports: [], functions: [] },
  functions: [],
  parts: { glue: '', compiledGlue: undefined, modules: [], memoryPages: 1 },
  cacheCompiledGlue() {},
};
const CACHE = mkdtempSync(path.join(tmpdir(), 'ken-hostile-'));
afterAll(() => rmSync(CACHE, { recursive: true, force: true }));
const WALLS = { hasNamespaces: false, endsWithKen: false, hasLimits: false };

/** The addresses to which ken would have connected. */
const asked = new Set<string>();
const sender: HttpSender = {
  async send({ url, method }) {
    asked.add(`${method} ${url}`);
    throw new Fault('net/connection', 'nobody is there');
  },
};

/** A process of which the test writes the standard output. */
class FakeProcess extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  constructor(stdin: Writable) {
    super();
    this.stdin = stdin;
  }

  kill(): boolean {
    if (this.signalCode) return true;
    this.signalCode = 'SIGKILL';
    this.emit('exit', null, 'SIGKILL');
    return true;
  }

  crash(code: number | null, signal: NodeJS.Signals | null): void {
    [this.exitCode, this.signalCode] = [code, signal];
    this.emit('exit', code, signal);
  }

  ref(): void {}
  unref(): void {}
}

interface Session {
  readonly handles: readonly number[];
  send(bytes: Uint8Array): void;
  /** The answers of ken so far. */
  answers(): Buffer;
  /** The handle that the last answer gives, if it answers that something was opened. */
  opened(): number | undefined;
  isOver(): boolean;
  end(): void;
  crash(code: number | null, signal: NodeJS.Signals | null): void;
  readonly result: Promise<unknown>;
}

/** `listens` is false for a process that does not read what it is sent, but for the call itself. */
function session(directories: readonly GrantedDirectory[], listens = true): Session {
  const answers: Buffer[] = [];
  const stdin = new Writable({
    write(bytes: Buffer, _encoding, done) {
      answers.push(bytes);
      if (listens) done();
    },
  });
  const child = new FakeProcess(stdin);
  const piped: PipedProcess = child;
  const guest = new GuestProcess(COMPONENT, new RunnerProcess(piped, process.pid, WALLS), {
    memoryMib: 100_000,
    outputBytes: 1000,
  });
  const call: GuestCall = {
    tool: '',
    action: 'run',
    argumentsJson: '{}',
    answersJson: '{}',
    root: '/',
    directories,
    network: { hosts: parseAllowList(['allowed.test:80']), sender },
  };
  const result = guest
    .call(call, { timeoutMs: scaled(600_000), signal: never })
    .catch((error: unknown) => error);
  const sent = Buffer.concat(answers.splice(0));
  let seen = 0;
  const message = decode(toRunner, sent.subarray(4));
  const granted = message.tag === 'call' ? message.val.directories : [];
  return {
    handles: granted.map(({ handle }) => handle),
    send: (bytes) => void child.stdout.emit('data', Buffer.from(bytes)),
    answers: () => Buffer.concat(answers),
    opened() {
      const last = answers.slice(seen);
      seen = answers.length;
      return openedBy(Buffer.concat(last));
    },
    isOver: () => child.signalCode !== null,
    end: () => void child.kill(),
    crash: (code, signal) => child.crash(code, signal),
    result,
  };
}

/** Undefined for what does not look like the answer to `open`. */
function openedBy(sent: Buffer): number | undefined {
  try {
    const message = decode(toRunner, sent.subarray(4));
    const answer = message.tag === 'answer' ? decode(answerOf('open'), message.val) : undefined;
    return answer?.tag === 'ok' ? (answer.val as Answered<'open'>).handle : undefined;
  } catch {
    return undefined;
  }
}

function world() {
  const base = temporaryDirectory();
  for (const name of ['workspace/dir', 'other', 'outside'])
    mkdirSync(path.join(base, name), { recursive: true });
  for (const name of ['other/file', 'outside/file']) writeFileSync(path.join(base, name), SECRET);
  writeFileSync(path.join(base, 'workspace/file'), 'inside');
  symlinkSync('../outside', path.join(base, 'workspace/link'));
  symlinkSync(path.join(base, 'outside'), path.join(base, 'workspace/absolute'));
  const at = (name: string): GrantedDirectory => ({
    guestPath: `/${name}`,
    hostPath: path.join(base, name),
    access: 'write',
  });
  return { base, workspace: at('workspace'), other: at('other') };
}

const PATHS = [
  'file',
  ...[
    '..',
    '../outside/file',
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/self/fd/0',
    'link/file',
    'absolute/file',
  ],
  ...['dir/../../outside/file', 'link', '.', '', 'file', 'dir', 'new', 'dir/new', '\0', 'file\0'],
  ...['.git/config', '.ken/x', '../other/file', 'dir/../file', './/file', 'link/../file'],
];
/** It ends a session. */
const TOO_LONG = 'x'.repeat(5000);
const NUMBERS = [0n, 1n, 255n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 1n];

/** The same numbers in every run. */
function chooser(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    next,
    bit: () => next(2) === 1,
    of: <T>(all: readonly T[]): T => {
      const chosen = all[next(all.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

type Chooser = ReturnType<typeof chooser>;

const TIMES = [
  { tag: 'no-change', val: undefined },
  { tag: 'now', val: undefined },
  { tag: 'timestamp', val: { seconds: 2n ** 63n, nanoseconds: 5 } },
] as const;
const CHANGED = Buffer.from('CHANGED');
/** They want handles of another kind, which ends a session at once; they are tried seldom. */
const SELDOM: readonly string[] = ['readMoreEntries', 'writeBody', 'sendRequest', 'readBody'];
// Without `sync`, which waits for the disk.
const ALL_NAMES = Object.keys(OPERATIONS).filter((name) => name !== 'sync') as OperationName[];
const NAMES = ALL_NAMES.filter((name) => !SELDOM.includes(name));
const ADDRESSES = [
  ...[
    'http://allowed.test/',
    'http://ALLOWED.test:80/?q',
    'http://allowed.test:81/',
    'https://allowed.test/',
  ],
  ...[
    'http://127.0.0.1/',
    'http://allowed.test@127.0.0.1/',
    'http://allowed.test.evil/',
    'file:///etc/passwd',
  ],
  ...['http://allowed.test\r\nHost: evil/', 'http://[::1]/', '', 'http://allowed.test#@evil/'],
];

/** The bytes of an operation in which every field is well-formed and hostile. */
function hostileOperation({ of, bit, next }: Chooser, handles: readonly number[]): Buffer {
  const handle = () => (next(300) === 0 ? next(2000) : (handles[next(handles.length)] ?? 0));
  const val = {
    ...{ handle: handle(), newHandle: handle(), other: handle() },
    ...{ path: of(PATHS), newPath: next(1000) === 0 ? TOO_LONG : of(PATHS), follow: bit(), dataOnly: bit() },
    how: { create: bit(), directory: bit(), exclusive: bit(), truncate: bit() },
    wanted: { read: bit(), write: bit(), mutateDirectory: bit() },
    ...{ length: of([0, 10, 1024 ** 2]), offset: of(NUMBERS), size: of(NUMBERS), bytes: CHANGED },
    ...{ accessed: of(TIMES), modified: of(TIMES) },
    ...{
      method: of(['GET', 'POST', 'CONNECT', 'G\r\nET', '']),
      address: next(100) === 0 ? TOO_LONG : of(ADDRESSES),
    },
    headers: [{ name: of(['a', 'host', 'a\r\nb']), value: of([CHANGED, Buffer.from('x\r\ny: z')]) }],
  };
  const out = new ByteWriter();
  const tag: OperationName = of(next(100) === 0 ? ALL_NAMES : NAMES);
  operation.write(out, { tag, val } as Operation);
  return out.written();
}

/** Wraps an operation as the runner does. */
function ask(asked: Uint8Array, dropped: readonly number[]): Buffer {
  const head = new ByteWriter();
  head.u8(2);
  head.u32(dropped.length);
  for (const handle of dropped) head.u32(handle);
  return frame(Buffer.concat([head.written(), asked]));
}

const OUT_OF_TURN = [
  Buffer.from([255, 255, 255, 255]),
  frame(encode(fromRunner, { tag: 'ready', val: { isConfined: true } })),
  frame(encode(fromRunner, { tag: 'loaded', val: undefined })),
  frame(encode(fromRunner, { tag: 'loaded', val: Buffer.from('x') })),
  frame(
    encode(fromRunner, {
      tag: 'refused',
      val: { code: 'wasm/trap', message: 'x', hint: undefined, used: undefined },
    }),
  ),
] as const;

/** Bytes of any kind, with or without the right length before them. */
function anyBytes({ next, bit }: Chooser): Buffer {
  const bytes = Buffer.from(Array.from({ length: next(200) }, () => next(256)));
  return bit() ? frame(bytes) : bytes;
}

/** Most are well-formed questions, so that a session lasts long enough to open something. */
function messageOf(choose: Chooser, own: readonly number[], foreign: readonly number[]): Buffer {
  const kind = choose.next(300);
  if (kind === 0) return anyBytes(choose);
  if (kind === 1) return Buffer.from(choose.of(OUT_OF_TURN));
  if (kind === 2) return ask(hostileOperation(choose, own), own.slice(0, 2));
  if (kind === 3) return ask(hostileOperation(choose, [...own, ...foreign]), []);
  if (kind === 4)
    return frame(encode(fromRunner, { tag: 'printed', val: { isError: choose.bit(), bytes: CHANGED } }));
  return ask(hostileOperation(choose, own), []);
}

it(`gets nothing beyond its grants by ${COUNT} messages`, { timeout: 600_000 + COUNT * 5 }, async ({
  annotate,
}) => {
  const { base, workspace, other } = world();
  const before = ['outside', 'other'].map((name) => snapshot(path.join(base, name)));
  // Another call, whose handles are open all the time.
  const foreign = session([other]);
  const tags = ask(encode(operation, { tag: 'stat', val: { handle: foreign.handles[0] ?? 0 } }), []);
  foreign.send(tags);
  expect(foreign.isOver()).toBe(false);
  const choose = chooser(1);
  let sent = 0;
  let sessions = 0;
  let ended = 0;
  let answered = 0;
  let used = 0;
  while (sent < COUNT) {
    const hostile = session([workspace]);
    sessions += 1;
    const own = [...hostile.handles];
    for (let at = 0; at < 500 && !hostile.isOver(); at++) {
      hostile.send(messageOf(choose, own, foreign.handles));
      sent += 1;
      const opened = hostile.opened();
      if (opened !== undefined && !own.includes(opened)) own.push(opened);
    }
    if (own.length > 1) used += 1;
    const told = hostile.answers();
    expect(told.includes(SECRET)).toBe(false);
    if (told.length > 0) answered += 1;
    if (hostile.isOver()) ended += 1;
    else hostile.end();
    await hostile.result;
    // What a session has left is collected when the event loop turns.
    await turnOfTheLoop();
  }
  expect(['outside', 'other'].map((name) => snapshot(path.join(base, name)))).toEqual(before);
  expect([answered > 0, ended > 0, used > 0]).toEqual([true, true, true]);
  await annotate(JSON.stringify({ sent, sessions, answered, ended, used }));
  const granted = /^(?:GET|POST) http:\/\/allowed\.test(?::80)?\/(?:\?q)?(?:#@evil\/)?$/i;
  expect([...asked].filter((each) => !granted.test(each))).toEqual([]);
  foreign.send(tags);
  expect(foreign.isOver()).toBe(false);
  foreign.end();
  await foreign.result;
});

it.each([
  ['a handle of another call', 'foreign'],
  ['a handle that was never given', 'unknown'],
  ['a handle that was dropped', 'dropped'],
])('is ended for %s', async (_, which) => {
  const { workspace, other } = world();
  const foreign = session([other]);
  const hostile = session([workspace]);
  const own = hostile.handles[0] ?? 0;
  const handle = { foreign: foreign.handles[0] ?? 0, unknown: 4_000_000_000, dropped: own }[which] ?? 0;
  const stat = encode(operation, { tag: 'stat', val: { handle } });
  hostile.send(ask(stat, which === 'dropped' ? [own] : []));
  expect(hostile.isOver()).toBe(true);
  expect(await hostile.result).toMatchObject({
    code: 'wasm/trap',
    message: 'The sandbox of the tool sent what it may not send, and was ended.',
  });
  foreign.end();
  await foreign.result;
});

it('is ended when it sends more than it waits for, before ken does any of it', async () => {
  const { workspace, base } = world();
  const hostile = session([workspace]);
  const make = (name: string) =>
    ask(
      encode(operation, { tag: 'createDirectoryAt', val: { handle: hostile.handles[0] ?? 0, path: name } }),
      [],
    );
  hostile.send(Buffer.concat([make('one'), make('two')]));
  expect(hostile.isOver()).toBe(true);
  expect(snapshot(path.join(base, 'workspace'))).not.toMatch(/one|two/);
  await hostile.result;
});

it('is ended when it asks and does not listen', async () => {
  const { workspace, base } = world();
  writeFileSync(path.join(base, 'workspace/large'), Buffer.alloc(1024 ** 2));
  const hostile = session([workspace], false);
  const [handle = 0] = hostile.handles;
  const open = {
    handle,
    path: 'large',
    follow: false,
    how: { create: false, directory: false, exclusive: false, truncate: false },
    wanted: { read: true, write: false, mutateDirectory: false },
  };
  hostile.send(ask(encode(operation, { tag: 'open', val: open }), []));
  const read = encode(operation, { tag: 'read', val: { handle: handle + 1, length: 1024 ** 2, offset: 0n } });
  for (let at = 0; at < 20 && !hostile.isOver(); at++) hostile.send(ask(read, []));
  expect(hostile.isOver()).toBe(true);
  await hostile.result;
});

it.each([
  ['more than ken keeps', [1001]],
  ['more than ken keeps, in pieces', [500, 500, 1]],
  ['in more pieces than ken sends', Array.from({ length: 201 }, () => 0)],
])('is ended when it prints %s', async (_, lengths) => {
  const hostile = session([world().workspace]);
  const print = (length: number) =>
    hostile.send(
      frame(encode(fromRunner, { tag: 'printed', val: { isError: true, bytes: Buffer.alloc(length) } })),
    );
  lengths.slice(0, -1).map(print);
  expect(hostile.isOver()).toBe(false);
  lengths.slice(-1).map(print);
  expect(hostile.isOver()).toBe(true);
  expect(await hostile.result).toMatchObject({ code: 'wasm/trap' });
});

it('is ended when it prints without a call', async () => {
  const printed = frame(
    encode(fromRunner, { tag: 'printed', val: { isError: false, bytes: Buffer.from('x') } }),
  );
  const child = new FakeProcess(new PassThrough());
  const guest = new GuestProcess(COMPONENT, new RunnerProcess(child, 0, WALLS), {
    memoryMib: 1,
    outputBytes: 1000,
  });
  child.stdout.emit('data', printed);
  expect(guest.isUsable).toBe(false);
});

it('is ended when it claims more texts than an outcome has', async () => {
  const hostile = session([world().workspace]);
  const outcome = {
    tag: 'error',
    val: { message: '', trace: Array.from({ length: 100_001 }, () => ''), transient: false },
  } as const;
  const done = { outcome, used: NOTHING };
  hostile.send(frame(encode(fromRunner, { tag: 'done', val: done })));
  expect(hostile.isOver()).toBe(true);
  await hostile.result;
});

it('is ended when it sends code during a call, which would run under the grants of others', async () => {
  const hostile = session([world().workspace]);
  hostile.send(frame(encode(fromRunner, { tag: 'loaded', val: Buffer.from('x') })));
  expect(hostile.isOver()).toBe(true);
  await hostile.result;
});

it.each([
  ['asks again before its request was answered', (ask: () => void) => [ask(), ask()]],
  ['gets the answer of a request', (ask: () => void) => [ask()]],
])('%s', async (name, act) => {
  const hostile = session([world().workspace]);
  const [handle = 0] = hostile.handles;
  const begin = { method: 'GET', address: 'http://allowed.test/', headers: [] };
  hostile.send(ask(encode(operation, { tag: 'beginRequest', val: begin }), []));
  act(() => hostile.send(ask(encode(operation, { tag: 'sendRequest', val: { handle: handle + 1 } }), [])));
  expect(hostile.isOver()).toBe(name.startsWith('asks again'));
  hostile.end();
  await hostile.result;
});

it.each<[number | null, NodeJS.Signals | null, string]>([
  [134, null, 'wasm/out-of-memory'],
  [133, null, 'wasm/out-of-memory'],
  [null, 'SIGABRT', 'wasm/out-of-memory'],
  [null, 'SIGTRAP', 'wasm/out-of-memory'],
  [null, 'SIGSEGV', 'wasm/trap'],
  [1, null, 'wasm/trap'],
])('that ends with %s or by %s is told as %s', async (code, signal, told) => {
  const crashed = session([world().workspace]);
  crashed.crash(code, signal);
  expect(await crashed.result).toMatchObject({ code: told });
});

it('is ended for a message that is longer than any of ken, before the message has come', async () => {
  const hostile = session([world().workspace]);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(64 * 1024 ** 2);
  hostile.send(header);
  expect(hostile.isOver()).toBe(true);
  expect(await hostile.result).toMatchObject({ code: 'wasm/trap' });
});

const COUNTS = `(component
  (core module $m (func (export "f") (result i32) (i32.const 1))) (core instance $i (instantiate $m))
  (func $f (result u32) (canon lift (core func $i "f"))) (export "count" (func $f)))`;

type Answer = Extract<FromRunner, { tag: 'done' | 'refused' }>;

function answering(answers: readonly FromRunner[]): RunnerProcess {
  const stdin = new Writable({
    write(bytes: Buffer, _encoding, done) {
      done();
      const { tag } = decode(toRunner, bytes.subarray(4));
      const sent: readonly FromRunner[] = tag === 'load' ? [{ tag: 'loaded', val: undefined }] : answers;
      const frames = Buffer.concat(sent.map((each) => frame(encode(fromRunner, each))));
      setImmediate(() => child.stdout.emit('data', frames));
    },
  });
  const child = new FakeProcess(stdin);
  // No process has this number, so that no memory is watched.
  return new RunnerProcess(child, 0, WALLS);
}

const NOTHING = { stdoutBytes: 0, stderrBytes: 0, memoryBytes: 0 };
const dataOf = (val: string): Answer => ({
  tag: 'done',
  val: { outcome: { tag: 'data', val }, used: NOTHING },
});

/** Calls the function `count`, which gives an u32 and gets a secret, in a process that answers like this. */
const callAnswered = async (answer: Answer, secret?: string) => (await answeredHost([answer], secret)).call();

async function answeredHost(answers: readonly FromRunner[], secret = 'sesame-42') {
  const file = path.join(temporaryDirectory(), 'counts.wasm');
  writeFileSync(file, await parse(COUNTS));
  const outside = { sender, secrets: { read: async () => secret } };
  const settings = { cacheDirectory: CACHE, memoryMib: 64, outputBytes: 1000, outside };
  const host = wasmComponentHost(settings, Promise.resolve(answering(answers)));
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const call = { component: { file }, tool: 'counts', ownFunction: 'count', request, root: '/' };
  const secrets = [{ name: 'TOKEN', from: 'env:TOKEN' }];
  const whole = { ...call, directories: [], outside: { net: [], secrets }, timeoutMs: 60_000 };
  return { call: () => host.run(whole, never), close: () => host.close() };
}

it('leaves no code for calls with other grants: not before, with or after its answer', async () => {
  const code: FromRunner = { tag: 'loaded', val: Buffer.from('CODE OF THE GUEST') };
  const done = dataOf('7');
  for (const answers of [[code], [code, done], [done, code]]) {
    const host = await answeredHost(answers);
    const told = await host.call().then(
      ({ data }) => data,
      ({ code: why }) => why,
    );
    expect(told).toEqual(answers[0] === done ? { result: 7 } : 'wasm/trap');
    await host.close();
  }
  const kept = readdirSync(path.join(CACHE, 'components'), { recursive: true, withFileTypes: true });
  const texts = kept
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name)));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes('CODE OF THE GUEST'))).toEqual([]);
});

it('gives the model a result that fits its type', async () => {
  expect((await callAnswered(dataOf('7'))).data).toEqual({ result: 7 });
});

it.each(['-1', '"text"', '{"a":1}', 'no JSON'])(
  'gives no model a result that does not fit: %s',
  async (val) => {
    await expect(callAnswered(dataOf(val))).rejects.toMatchObject({ code: 'wasm/output' });
  },
);

it('shows nobody a secret of digits that it gives as a number', async () => {
  const { outcome, data } = await callAnswered(dataOf('40817'), '40817');
  expect([outcome, data]).toEqual([{ type: 'success', text: '[secret]' }, { result: '[secret]' }]);
});

it('shows nobody a secret that it puts into a refusal', async () => {
  const val = {
    code: 'wasm/trap',
    message: 'It said sesame-42.',
    hint: 'Try sesame-42.',
    used: NOTHING,
  } as const;
  await expect(callAnswered({ tag: 'refused', val })).rejects.toMatchObject({
    message: 'It said [secret].',
    hint: 'Try [secret].',
  });
});

it('shows nobody a secret that it printed before its call was ended', async () => {
  const printed: FromRunner = {
    tag: 'printed',
    val: { isError: false, bytes: Buffer.from('It is sesame-42.') },
  };
  const refused: FromRunner = {
    tag: 'refused',
    val: { code: 'wasm/trap', message: 'It crashed.', hint: undefined, used: NOTHING },
  };
  const { call } = await answeredHost([printed, refused]);
  await expect(call()).rejects.toMatchObject({ receipt: { stdout: 'It is [secret].', stdoutBytes: 16 } });
});
