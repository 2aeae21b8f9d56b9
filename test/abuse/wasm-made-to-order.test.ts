/**
 * Components made to break the host: each is refused or ended, ken answers the next call, no process is left, and the
 * memory of ken and of the guest's process stays within its limit. (Forged imports and the features that are refused:
 * wasm-forged-imports.test.ts, core-features.test.ts, check-contract.test.ts.)
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { GUEST_RUNNER, TRANSLATE_RUNNER } from '../../src/adapters/wasm/process/runner-process.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { probeHost } from '../wasm/probe-host.ts';
import { toolFromText } from '../wasm/tool-text.ts';
import { ALIASES, SUCCESS } from '../wasm/tool-wat.ts';

const MEMORY_MIB = 256;
const probe = probeHost({ memoryMib: MEMORY_MIB });

function run(file: string, timeoutMs: number, signal = new AbortController().signal) {
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const call = { component: { file }, tool: 'made', request, root: '/workspace', directories: [] };
  return probe().host.run({ ...call, timeoutMs }, signal);
}

/** A list of this many handles is as long as a memory of 256 MiB allows. */
const HANDLES = scaled(40_000_000, 60_000_000);
const PAGES = Math.ceil((HANDLES * 4) / 65_536) + 1;

/** Polls a list of handles that are all the same number, as its only function. */
const POLLS = `(component
  (import "wasi:io/poll@0.2.12" (instance $poll
    (export "pollable" (type $p (sub resource)))
    (export "poll" (func (param "in" (list (borrow $p))) (result (list u32))))))
  (core module $memory (memory (export "memory") ${PAGES})
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 16)))
  (core instance $k (instantiate $memory))
  (core func $lowered (canon lower (func $poll "poll") (memory (core memory $k "memory"))
    (realloc (core func $k "realloc"))))
  (core module $m (import "host" "poll" (func $poll (param i32 i32 i32)))
    (func (export "go") (call $poll (i32.const 16) (i32.const ${HANDLES}) (i32.const 0))))
  (core instance $c (instantiate $m (with "host" (instance (export "poll" (func $lowered))))))
  (func (export "go") (canon lift (core func $c "go"))))`;

/** Asks for random bytes; the function that gives them room asks for more of them before it answers, and so on. */
const CALLS_BACK = `(component
  (import "wasi:random/random@0.2.12" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))))
  (core module $memory (memory (export "memory") 1) (table (export "table") 1 funcref)
    (type $ask (func (param i64 i32)))
    (func $more (export "go") (call_indirect (type $ask) (i64.const 8) (i32.const 64) (i32.const 0)))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (call $more) (i32.const 1024)))
  (core instance $k (instantiate $memory))
  (core func $lowered (canon lower (func $random "get-random-bytes") (memory (core memory $k "memory"))
    (realloc (core func $k "realloc"))))
  (core module $fill (import "k" "table" (table 1 funcref)) (import "host" "ask" (func $ask (param i64 i32)))
    (elem (i32.const 0) func $ask))
  (core instance (instantiate $fill (with "k" (instance $k))
    (with "host" (instance (export "ask" (func $lowered))))))
  (func (export "go") (canon lift (core func $k "go"))))`;

/** 140 KB in which every block joins 40,000 locals, which takes an engine half a minute once the function is called. */
const SLOW_TO_COMPILE = `(func $slow (local ${'i32 '.repeat(40_000)}) ${'(block (br_if 0 (local.get 0)))'.repeat(20_000)}) (start $slow)`;

const START_LOOPS = '(func $s (loop $more (br $more))) (start $s)';
const START_SPINS = '(func $s (return_call $s)) (start $s)';
const START_ALLOCATES = `(func $s (local $to i32) (loop $more
    (drop (memory.grow (i32.const 64)))
    (memory.fill (i32.const 65536) (i32.const 1) (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 65536)))
    (br $more))) (start $s)`;
const START_GROWS_TABLE = `(table $t 1 funcref) (func $s (loop $more
    (drop (table.grow $t (ref.null func) (i32.const 100000))) (br $more))) (start $s)`;

interface Measured {
  readonly code: string;
  /** The most that one guest process had, and how much ken itself grew. */
  readonly guestMib: number;
  readonly kenMib: number;
  readonly ms: number;
}

/** Runs to its end and measures the memory of ken and of its guest processes meanwhile. */
async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const before = process.memoryUsage().rss;
  const highest = highestOwn();
  const startMs = performance.now();
  let [guest, own] = [0, 0];
  const watch = setInterval(() => {
    guest = Math.max(guest, ...ownRunners().map(peakOf));
    own = Math.max(own, process.memoryUsage().rss - before);
  }, 10);
  const code = await work().then(
    () => 'answered',
    (error: { code?: string }) => error.code ?? String(error),
  );
  clearInterval(watch);
  // Nothing is sampled while ken itself is busy.
  if (highestOwn() > highest) own = Math.max(own, highestOwn() - before);
  const mib = (bytes: number) => Math.round(bytes / 1024 ** 2);
  return { code, guestMib: mib(guest), kenMib: mib(own), ms: Math.round(performance.now() - startMs) };
}

function highestOwn(): number {
  return process.resourceUsage().maxRSS * 1024;
}

const MOST_WHILE_CALLING = MEMORY_MIB + 128 + 64;
const MOST_WHILE_COMPILING = 1024 + 64;
const MOST_IN_KEN = 150;

const isLinux = process.platform === 'linux';
const TIMEOUT = 'tools/timeout';
const FULL = 'wasm/out-of-memory';

it.runIf(isLinux).for<[string, string, string[]]>([
  ['a start function that loops', START_LOOPS, [TIMEOUT]],
  ['a start function that calls itself for ever', START_SPINS, ['wasm/instantiate']],
  ['a start function that takes memory', START_ALLOCATES, [TIMEOUT, FULL, 'wasm/instantiate']],
  ['a start function that takes table entries', START_GROWS_TABLE, [TIMEOUT, FULL]],
])('is ended: %s', async ([, more, codes], { annotate }) => {
  const file = await toolFromText(SUCCESS, more);
  const found = await measured(() => run(file, 500));
  await annotate(JSON.stringify(found));
  expect(codes).toContain(found.code);
  expect(found.guestMib).toBeLessThanOrEqual(MOST_WHILE_CALLING);
  expect(found.kenMib).toBeLessThanOrEqual(MOST_IN_KEN);
});

it.runIf(isLinux).for<[string, string, string[]]>([
  [`a list of ${HANDLES} handles`, POLLS, ['wasm/trap', FULL]],
  ['a function for memory that calls the host again, and again', CALLS_BACK, ['wasm/trap', FULL]],
])('is ended: %s', async ([, wat, codes], { annotate }) => {
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  writeFileSync(file, await parse(wat));
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const call = { component: { file }, tool: 'made', request, root: '/', directories: [], timeoutMs: 20_000 };
  const found = await measured(() =>
    probe().host.run({ ...call, ownFunction: 'go' }, new AbortController().signal),
  );
  await annotate(JSON.stringify(found));
  expect(codes).toContain(found.code);
  expect(found.guestMib).toBeLessThanOrEqual(MOST_WHILE_CALLING);
  expect(found.kenMib).toBeLessThanOrEqual(MOST_IN_KEN);
});

it.runIf(isLinux)('is ended: an answer that names one text a million times', async ({ annotate }) => {
  const found = await measured(async () => run(await toolFromText(ALIASES), 20_000));
  await annotate(JSON.stringify(found));
  expect(found.code).toBe(FULL);
  expect(found.guestMib).toBeLessThanOrEqual(MOST_WHILE_CALLING);
  expect(found.kenMib).toBeLessThanOrEqual(MOST_IN_KEN);
});

/** A question whose type of answer is a list of five million empty lists. */
const ENDLESS_QUESTION = `(loop $more
  (i32.store (i32.add (i32.const 65536) (local.get $at)) (i32.const 0x202c5d5b))
  (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (i32.const 19000000))))
  (i32.store8 (i32.const 65535) (i32.const 0x5b)) (i32.store (i32.const 19065532) (i32.const 0x5d205d5b))
  (i32.store8 (i32.const 16) (i32.const 2))
  (i32.store (i32.const 36) (i32.const 65535)) (i32.store (i32.const 40) (i32.const 19000001))
  (i32.const 16)`;

it.runIf(isLinux)('costs ken nothing: a question that is longer than anybody reads', async ({ annotate }) => {
  const found = await measured(async () => {
    const { outcome } = await run(await toolFromText(ENDLESS_QUESTION), 20_000);
    expect(outcome).toMatchObject({ message: 'The tool asked a question that nobody could answer.' });
  });
  await annotate(JSON.stringify(found));
  expect(found.code).toBe('answered');
  expect(found.kenMib).toBeLessThanOrEqual(MOST_IN_KEN);
});

it.runIf(isLinux)('is ended: 140 KB that compile for half a minute', async ({ annotate }) => {
  const file = await toolFromText(SUCCESS, SLOW_TO_COMPILE);
  expect(readFileSync(file).length).toBeLessThan(150_000);
  const found = await measured(() => run(file, 500));
  await annotate(JSON.stringify(found));
  expect([TIMEOUT, FULL]).toContain(found.code);
  // Its own half second, and what a busy machine takes to notice.
  expect(found.ms).toBeLessThan(15_000);
  expect(found.guestMib).toBeLessThanOrEqual(MOST_WHILE_COMPILING);
});

it('answers the next call, and leaves no process', async () => {
  expect(await probe().gave([{ do: 'random', length: 3 }])).toEqual([{ ok: 3 }]);
  await probe().host.close();
  await expect.poll(ownRunners).toEqual([]);
});

/** The processes of guests that this process has started, also through a wrapper. */
function ownRunners(): string[] {
  if (process.platform !== 'linux') return [];
  const scripts = [GUEST_RUNNER.file, TRANSLATE_RUNNER.file];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || !scripts.some((script) => read(pid, 'cmdline').includes(script))) return false;
    for (let at = pid; at !== '0' && at !== ''; at = /^PPid:\s+(\d+)$/m.exec(read(at, 'status'))?.[1] ?? '')
      if (at === String(process.pid)) return true;
    return false;
  });
}

function peakOf(pid: string): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

/** Empty for a process that is gone. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
