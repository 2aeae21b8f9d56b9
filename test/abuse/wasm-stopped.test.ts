/** Guests that cannot be stopped from inside: each ends in its error, ken goes on, and no process is left. */

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { GuestProcess } from '../../src/adapters/wasm/process/guest-process.ts';
import { GUEST_RUNNER, startRunner } from '../../src/adapters/wasm/process/runner-process.ts';
import type { ComponentParts } from '../../src/adapters/wasm/runner/loaded-component.ts';
import { probeHost } from '../wasm/probe-host.ts';
import { toolFromText } from '../wasm/tool-text.ts';
import { SUCCESS } from '../wasm/tool-wat.ts';

const probe = probeHost();
const never = new AbortController().signal;

function run(file: string, timeoutMs = 60_000) {
  return probe().host.run(
    {
      component: { file },
      tool: 'stopped',
      request: { action: 'run', arguments: {}, answers: {} },
      root: '/workspace',
      directories: [],
      timeoutMs,
    },
    never,
  );
}

const works = async () => expect(await probe().gave([{ do: 'random', length: 3 }])).toEqual([{ ok: 3 }]);

it('answers, were it not for what follows', async () => {
  expect((await run(await toolFromText(SUCCESS))).outcome).toEqual({ type: 'success', text: '' });
});

/** Calls `run` of a core module in a guest's process, without the checks that come before it. */
async function runUnchecked(wat: string, timeoutMs: number): Promise<unknown> {
  const glue = `((get, imports, start) => {
    const { run } = start(get('m')).exports;
    return { run() { run(); return { tag: 'success', val: '' }; } };
  })`;
  const modules = [{ name: 'm', bytes: await parse(wat), memoryPages: 0, tableEntries: 0 }];
  const guest = await startedGuest(glue, modules);
  try {
    return await guest.call(CALL, { timeoutMs, signal: never });
  } finally {
    await guest.end();
  }
}

async function startedGuest(glue: string, modules: ComponentParts['modules']): Promise<GuestProcess> {
  const parts = { glue, compiledGlue: undefined, modules, memoryPages: 1 };
  const component = { key: 'unchecked', facts: FACTS, functions: [], parts, cacheCompiledGlue() {} };
  const guest = new GuestProcess(component, await startRunner(GUEST_RUNNER), LIMITS);
  await guest.load();
  return guest;
}

const FACTS = { sha256: '', sizeBytes: 0, imports: [], functions: [] };
const LIMITS = { memoryMib: 64, outputBytes: 1 };
const CALL = {
  tool: '',
  action: 'run',
  argumentsJson: '{}',
  answersJson: '{}',
  root: '/',
  directories: [],
} as const;

it('ends a tail call that never ends', async () => {
  const startMs = performance.now();
  await expect(
    runUnchecked('(module (func $g (export "run") (return_call $g)))', 1000),
  ).rejects.toMatchObject({ code: 'tools/timeout' });
  // Ending takes milliseconds; the rest is what a busy machine takes to start a process.
  expect(performance.now() - startMs).toBeLessThan(30_000);
});

const FILL_HEAP = `(module
  (type $node (struct (field (ref null $node)) (field i64 i64 i64 i64 i64 i64 i64 i64)))
  (global $list (mut (ref null $node)) (ref.null $node))
  (func (export "run") (loop $more
    (global.set $list (struct.new $node (global.get $list) ${'(i64.const 1) '.repeat(8)}))
    (br $more))))`;

it('survives a guest that fills the heap of the engine', async () => {
  await expect(runUnchecked(FILL_HEAP, 60_000)).rejects.toMatchObject({ code: 'wasm/out-of-memory' });
});

it('executes nothing of a component that is warmed', async () => {
  const file = await toolFromText(SUCCESS, '(func $s (loop $more (br $more))) (start $s)');
  await probe().host.warm({ file });
  await expect(run(file, 500)).rejects.toMatchObject({ code: 'tools/timeout' });
  await works();
});

it('lets nothing of a guest go on between its calls', async () => {
  const glue = `let ran = 0;
    const later = () => { ran += 1; setImmediate(later); };
    (() => ({ run() {
      const before = ran;
      setTimeout(later, 0); setImmediate(later); queueMicrotask(later); Promise.resolve().then(later);
      return { tag: 'success', val: String(before) };
    } }))`;
  const guest = await startedGuest(glue, []);
  for (let at = 0; at < 3; at++) {
    const { done } = await guest.call(CALL, { timeoutMs: 20_000, signal: never });
    expect(done.outcome.val).toBe('0');
  }
  await guest.end();
});

it.runIf(process.platform === 'linux')('leaves no process behind', async () => {
  const file = await toolFromText('(loop $more (br $more)) (i32.const 16)');
  await expect(run(file, 300)).rejects.toMatchObject({ code: 'tools/timeout' });
  await probe().host.close();
  await expect.poll(ownRunners).toBe(0);
});

/** The processes of guests that this process has started. */
function ownRunners(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isRunner = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(GUEST_RUNNER.file);
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return isRunner && parent === String(process.pid);
    } catch {
      return false;
    }
  }).length;
}
