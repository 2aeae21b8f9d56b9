/** A guest that never ends, takes too much or breaks: a typed error in time, and the next call works. */

import { readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it, onTestFinished } from 'vitest';
import type { ComponentResult } from '../../src/domain/tools/component-host.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { toolFromText } from './dummy-component.ts';
import { probeHost } from './probe-host.ts';
import { SUCCESS, toolWat } from './tool-wat.ts';

const probe = probeHost();
const component = { file: path.join(import.meta.dirname, 'misbehave/misbehave.wasm') };

function misbehave(how: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const request = { action: 'run', arguments: { do: how }, answers: { sure: true } } as const;
  const call = { component, tool: 'misbehave', request, root: '/workspace', directories: [] };
  const signal = options.signal ?? new AbortController().signal;
  return probe().host.run({ ...call, timeoutMs: options.timeoutMs ?? 20_000 }, signal);
}

const works = async () => expect(textOf(await misbehave('name'))).toBe('misbehave');

function textOf({ outcome }: ComponentResult): string {
  return outcome.type === 'success' ? outcome.text : JSON.stringify(outcome);
}

it.each([
  ['loop', 'tools/timeout', 'The tool did not answer within 0.3 s.'],
  ['sleep', 'tools/timeout', 'The tool did not answer within 0.3 s.'],
])('C: %s ends at its time limit', async (how, code, message) => {
  const startMs = performance.now();
  await expect(misbehave(how, { timeoutMs: 300 })).rejects.toMatchObject({ code, message });
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(299);
  await works();
});

it.each([
  ['recurse', 'wasm/trap', /^The tool crashed: /],
  ['exit', 'wasm/trap', /^The tool ended early: It exited with a failure\.$/],
  ['abort', 'wasm/trap', /^The tool crashed: wasm `unreachable` instruction executed\.$/],
  ['out-of-bounds', 'wasm/trap', /^The tool crashed: out of bounds memory access\.$/],
  ['divide', 'wasm/trap', /^The tool crashed: integer divide by zero\.$/],
  [
    'complain',
    'wasm/trap',
    /^The tool crashed: wasm `unreachable` instruction executed\. It printed: this is why$/,
  ],
  ['memory', 'wasm/out-of-memory', /^The tool ran out of memory: wasm `unreachable` instruction executed\.$/],
  ['print', 'wasm/output', /^The tool ended early: It printed more than 256000 bytes\.$/],
  ['bad-pointer', 'wasm/trap', /^The tool crashed: /],
  ['endless-text', 'wasm/trap', /^The tool crashed: /],
  ['too-much', 'wasm/output', /^The tool answered with 41943040 characters, which is too much\.$/],
])('C: %s ends in its own error', async (how, code, message) => {
  await expect(misbehave(how)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await works();
});

it('ends tail calls without end when the stack is full, which V8 could not stop otherwise', async () => {
  const file = path.join(temporaryDirectory(), 'spin.wasm');
  const parameters = '(param i32 i32 i32 i32 i32 i32 i32 i32 i32)';
  const tool = await toolFromText(`(module (memory (export "memory") 1)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
    (func (export "run") ${parameters} (result i32) (return_call $spin))
    (func $spin (result i32) (return_call $spin)))`);
  writeFileSync(file, tool);
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const call = { component: { file }, tool: 'spin', request, root: '/workspace', directories: [] };
  await expect(
    probe().host.run({ ...call, timeoutMs: 60_000 }, new AbortController().signal),
  ).rejects.toMatchObject({ code: 'wasm/trap', message: expect.stringContaining('call stack') });
});

it.each(['loop', 'sleep'])('C: %s ends when the caller gives up', async (how) => {
  const stop = new AbortController();
  const call = misbehave(how, { signal: stop.signal });
  setTimeout(() => stop.abort(), 200);
  await expect(call).rejects.toMatchObject({ code: 'tools/cancelled' });
  await works();
});

it('does not begin what was given up before', async () => {
  const signal = AbortSignal.abort();
  await expect(misbehave('name', { signal })).rejects.toMatchObject({ code: 'tools/cancelled' });
  await works();
});

it.each([
  ['environment', 'has none'],
  ['stdin', 'has none'],
  ['root', '/workspace'],
  ['answers', '{"sure":true}'],
  ['not-utf8', '\ufffd\ufffd!'],
])('C: %s', async (how, text) => {
  expect(textOf(await misbehave(how))).toBe(text);
});

it('counts memory that a component hides', async () => {
  const file = path.join(temporaryDirectory(), 'hides.wasm');
  const hidden = '(core module $h (memory 100)) (core instance (instantiate $h)) (core instance $i';
  writeFileSync(file, await parse(toolWat(SUCCESS).replace('(core instance $i', hidden)));
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const call = { component: { file }, tool: 'hides', request, root: '/workspace', directories: [] };
  const { receipt } = await probe().host.run({ ...call, timeoutMs: 60_000 }, new AbortController().signal);
  expect(receipt.memoryPeakBytes).toBe((300 + 100) * 65_536);
});

it('asks a question', async () => {
  expect((await misbehave('ask')).outcome).toEqual({
    type: 'needs-input',
    question: { id: 'sure', text: 'Are you sure?', answerType: 'boolean' },
  });
});

it('tells of a question that nobody could answer', async () => {
  expect((await misbehave('ask-strangely')).outcome).toEqual({
    type: 'error',
    message: 'The tool asked a question that nobody could answer.',
    trace: [],
    transient: false,
  });
});

it.each([
  ['loop', 'tools/timeout'],
  ['sleep', 'tools/timeout'],
  ['memory', 'wasm/out-of-memory'],
  ['printForever', 'wasm/output'],
  ['exit', 'wasm/trap'],
  ['throw', 'wasm/trap'],
  ['recurse', 'wasm/trap'],
])('JavaScript: %s ends in its own error, and the next call works', async (how, code) => {
  const timeoutMs = code === 'tools/timeout' ? 500 : 20_000;
  const steps = [{ do: how, ms: 3_600_000, fatal: true }];
  await expect(probe().run(steps, { timeoutMs })).rejects.toMatchObject({ code });
  expect(await probe().gave([{ do: 'random', length: 3 }])).toEqual([{ ok: 3 }]);
});

it('allows no more random bytes at once than a guest can need', async () => {
  await expect(probe().run([{ do: 'random', length: 1e15 }])).rejects.toMatchObject({ code: 'wasm/trap' });
});

it('keeps the beginning of what is printed, counts all, and shows it in the receipt', async () => {
  const { receipt } = await probe().run([
    { do: 'print', text: 'x'.repeat(3000) },
    { do: 'warn', text: 'careful' },
  ]);
  expect(receipt).toMatchObject({
    stdoutBytes: 3000,
    stderrBytes: 7,
    stdout: 'x'.repeat(1000),
    stderr: 'careful',
  });
});

it('runs more calls at once than it has threads', async () => {
  const texts = await Promise.all(Array.from({ length: 12 }, () => misbehave('name').then(textOf)));
  expect(new Set(texts)).toEqual(new Set(['misbehave']));
});

it('has four threads at most: a fifth call waits for one of them', async () => {
  // One that is idle is one of the four.
  await works();
  const ended: string[] = [];
  const loops = Array.from({ length: 4 }, () =>
    misbehave('loop', { timeoutMs: 1000 }).catch(({ code }) => ended.push(code)),
  );
  await misbehave('name').then(() => ended.push('name'));
  expect(ended[0]).toBe('tools/timeout');
  await Promise.all(loops);
});

it('is given up at once while it waits for a thread', async () => {
  await works();
  const stop = new AbortController();
  const ended: string[] = [];
  const loops = Array.from({ length: 4 }, () =>
    misbehave('loop', { signal: stop.signal }).catch(() => ended.push('loop')),
  );
  const impatient = new AbortController();
  const waiting = misbehave('name', { signal: impatient.signal }).catch(({ code }) => ended.push(code));
  setTimeout(() => impatient.abort(), 200);
  await waiting;
  expect(ended).toEqual(['tools/cancelled']);
  stop.abort();
  await Promise.all(loops);
  await works();
});

it('leaks neither descriptors nor memory', async () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const call = async (times: number) => {
    for (let at = 0; at < times; at++) await misbehave('name');
  };
  // Some thousand calls on, the thread's heap has the size that it keeps.
  await call(scaled(400));
  const before = { files: openFiles(), rss: process.memoryUsage().rss };
  await call(scaled(1000));
  expect(openFiles()).toBeLessThanOrEqual(before.files);
  // One instance has more than 128 KiB; the thread's own heap grows a little until it is collected.
  expect(process.memoryUsage().rss - before.rss).toBeLessThan(100 * 1024 ** 2);
});

it('leaks no descriptors when calls are killed', async () => {
  await works();
  const before = readdirSync('/proc/self/fd').length;
  for (let at = 0; at < 10; at++) {
    await expect(misbehave('loop', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'tools/timeout' });
  }
  await works();
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 4);
});

it.each([
  ['crashes', { do: 'throw', fatal: true }, 'wasm/trap'],
  ['does not end', { do: 'loop' }, 'tools/timeout'],
  ['is stopped by its caller', { do: 'loop' }, 'tools/cancelled'],
])('tells what a call has done that %s', async (_, last, code) => {
  const hostPath = temporaryDirectory();
  const stop = new AbortController();
  const writing = { do: 'open', on: '/w', path: 'new', how: { create: true }, wanted: { write: true } };
  const printing = [
    { do: 'print', text: 'begun ' },
    { do: 'print', text: 'well' },
    { do: 'warn', text: 'careful' },
  ];
  const running = probe().run([...printing, writing, { do: 'writeStream', text: 'left behind' }, last], {
    directories: [{ guestPath: '/w', hostPath, access: 'write' }],
    signal: stop.signal,
    timeoutMs: code === 'tools/timeout' ? 3000 : 60_000,
  });
  const watcher = watch(hostPath, () => code === 'tools/cancelled' && stop.abort());
  onTestFinished(() => watcher.close());
  await expect(running).rejects.toMatchObject({
    code,
    receipt: {
      filesWritten: [{ path: '/w/new' }],
      ...{ stdout: 'begun well', stdoutBytes: 10, stderr: expect.stringMatching(/^careful/) },
      [code === 'wasm/trap' ? 'memoryPeakBytes' : 'processPeakBytes']: expect.any(Number),
      ended: true,
    },
  });
});
