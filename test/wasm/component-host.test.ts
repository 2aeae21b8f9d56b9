/** Tools as components: what they are given, what comes back, what is kept. */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ComponentHost } from '../../src/domain/tools/component-host.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { javascriptGuest } from './build-guest.ts';
import { dummyComponent } from './dummy-component.ts';
import { probeHost } from './probe-host.ts';

const READ_FILE = path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm');
const probe = probeHost();
const never = new AbortController().signal;
const BEGAN_MS = performance.now();

interface Given {
  readonly file?: string;
  readonly workspace?: string;
  readonly arguments?: JsonObject;
  readonly action?: 'run' | 'format-arguments';
  readonly sha256?: string;
}

function call(host: ComponentHost, given: Given, signal = never) {
  const hostPath = given.workspace;
  return host.run(
    {
      component: { file: given.file ?? READ_FILE, ...(given.sha256 ? { sha256: given.sha256 } : {}) },
      tool: 'read_file',
      request: {
        action: given.action ?? 'run',
        arguments: given.arguments ?? { path: 'a.txt' },
        answers: {},
      },
      root: '/workspace',
      directories: hostPath ? [{ guestPath: '/workspace', hostPath, access: 'write' }] : [],
      timeoutMs: 20_000,
    },
    signal,
  );
}

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-hosts-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** In the place of the one before, so that one process, which takes longer to start than a call, serves them all. */
function workspace(files: Readonly<Record<string, string>>): string {
  const directory = path.join(base, 'workspace');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), content);
  }
  return directory;
}

function freshHost(cacheDirectory: string): ComponentHost {
  const host = wasmComponentHost({ cacheDirectory, memoryMib: 32, outputBytes: 1000 });
  onTestFinished(() => host.close());
  return host;
}

it('runs a tool from a file, which reads a file of the workspace', async () => {
  const text = 'grüße 日本 \u{1f600}\r\n\ttext\n';
  const { outcome, receipt } = await call(probe().host, {
    workspace: workspace({ 'src/main.txt': text }),
    arguments: { path: 'src/main.txt' },
  });
  expect(outcome).toEqual({ type: 'success', text });
  expect(receipt).toEqual({
    milliseconds: expect.any(Number),
    filesRead: [{ path: '/workspace/src/main.txt', bytes: Buffer.byteLength(text) }],
    filesWritten: [],
    stdoutBytes: 0,
    stderrBytes: 0,
    memoryPeakBytes: expect.any(Number),
  });
});

it('reads a large file whole', async () => {
  const text = 'x'.repeat(3_000_000);
  const { outcome } = await call(probe().host, { workspace: workspace({ 'a.txt': text }) });
  expect(outcome).toEqual({ type: 'success', text });
});

it.each([
  ['../outside.txt', 'Failed to read file: Operation not permitted'],
  ['../../../../../../etc/passwd', 'Failed to read file: Operation not permitted'],
  ['link', 'Failed to read file: Operation not permitted'],
  ['missing.txt', 'Failed to read file: No such file or directory'],
  ['directory', 'Failed to read file: Bad file descriptor'],
])('lets a tool see nothing but its workspace: %s', async (name, message) => {
  const base = workspace({ 'outside.txt': 'secret', 'work/a.txt': 'inside', 'work/directory/b.txt': '' });
  symlinkSync('../outside.txt', path.join(base, 'work/link'));
  const { outcome } = await call(probe().host, {
    workspace: path.join(base, 'work'),
    arguments: { path: name },
  });
  expect(outcome).toEqual({ type: 'error', message, trace: [], transient: false });
});

it('gives a mebibyte at a time, however much a tool wants at once', async () => {
  const directories = [
    {
      guestPath: '/workspace',
      hostPath: workspace({ 'a.txt': 'x'.repeat(3_000_000) }),
      access: 'read' as const,
    },
  ];
  const [, gave] = await probe().gave(
    [
      { do: 'open', on: '/workspace', path: 'a.txt' },
      { do: 'readOnce', length: 1e15, offset: 0 },
    ],
    { directories },
  );
  expect(gave).toEqual({ ok: 1024 ** 2 });
});

it('tells the time, and not how long the machine has been up', async () => {
  const [gave] = await probe().gave([{ do: 'clock' }]);
  const [elapsedNs = Number.NaN, seconds = Number.NaN] = Array.isArray(gave?.ok) ? gave.ok : [];
  expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
  expect(elapsedNs).toBeGreaterThanOrEqual(0);
  expect(elapsedNs / 1e6).toBeLessThanOrEqual(performance.now() - BEGAN_MS);
});

it('finds nothing where nothing was granted', async () => {
  const { outcome } = await call(probe().host, {});
  expect(outcome).toMatchObject({ type: 'error' });
});

it('finds nothing where the granted directory is missing', async () => {
  const { outcome } = await call(probe().host, { workspace: '/nonexistent/workspace' });
  expect(outcome).toMatchObject({ type: 'error' });
});

it('tells of arguments that the tool does not understand', async () => {
  const { outcome } = await call(probe().host, { arguments: { wrong: 1 } });
  expect(outcome).toEqual({
    type: 'error',
    message: 'Invalid arguments: an object with the string "path" is wanted.',
    trace: [],
    transient: false,
  });
});

it.each([['caf\u00e9 "quoted".txt'], ['back\\slash.txt'], ['tab\there.txt'], ['\u{1f600}.txt']])(
  'passes the name %j through JSON, C and the file system',
  async (name) => {
    const { outcome } = await call(probe().host, {
      workspace: workspace({ [name]: 'found' }),
      arguments: { path: name },
    });
    expect(outcome).toEqual({ type: 'success', text: 'found' });
  },
);

it('formats arguments', async () => {
  const { outcome } = await call(probe().host, { action: 'format-arguments' });
  expect(outcome).toEqual({ type: 'success', text: 'read a.txt' });
});

it('writes where it may, and says so in the receipt', async () => {
  const directory = workspace({ 'a.txt': 'old' });
  const { receipt } = await probe().run(
    [
      { do: 'mkdir', on: '/workspace', path: 'new' },
      { do: 'open', on: '/workspace', path: 'new/b.txt', how: { create: true }, wanted: { write: true } },
      { do: 'writeStream', text: 'hello ' },
      { do: 'append', text: 'world' },
      { do: 'rename', on: '/workspace', path: 'a.txt', to: 'c.txt' },
    ],
    { directories: [{ guestPath: '/workspace', hostPath: directory, access: 'write' }] },
  );
  expect(readFileSync(path.join(directory, 'new/b.txt'), 'utf8')).toBe('hello world');
  expect(readFileSync(path.join(directory, 'c.txt'), 'utf8')).toBe('old');
  expect(receipt.filesWritten).toEqual([
    { path: '/workspace/new', bytes: 0 },
    { path: '/workspace/new/b.txt', bytes: 11 },
    { path: '/workspace/c.txt', bytes: 0 },
    { path: '/workspace/a.txt', bytes: 0 },
  ]);
});

const FIRST_NAME = `package jp:tool@0.1.0;
interface types {
  enum action { run, format-arguments }
  record context { root: string, action: action }
  record error-info { message: string, trace: list<string>, transient: bool }
  record question { id: string, text: string, answer-type: string, default: option<string> }
  variant outcome { success(string), error(error-info), needs-input(question) }
}
world tool {
  use types.{context, outcome};
  export run: func(ctx: context, name: string, arguments: string, answers: string) -> outcome;
}`;
const ECHO = `export function run(context, name, given, answers) {
  const asked = JSON.parse(given);
  if (asked.outcome) return asked.outcome;
  return { tag: 'success', val: JSON.stringify({ context, name, given, answers }) };
}`;

it('runs a component built against another WASI 0.2 than ours', async () => {
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  const other = readFileSync(READ_FILE, 'latin1').replaceAll('@0.2.12', '@0.2.99');
  writeFileSync(file, other, 'latin1');
  const { imports } = await probe().host.check({ file }, never);
  expect(imports).toContain('wasi:filesystem/types@0.2.99');
  const { outcome } = await call(probe().host, { file, workspace: workspace({ 'a.txt': 'ok' }) });
  expect(outcome).toEqual({ type: 'success', text: 'ok' });
});

it('runs a component built against jp:tool as it is', async () => {
  const file = await javascriptGuest({ source: ECHO, world: FIRST_NAME, name: 'tool' });
  const { outcome } = await call(probe().host, { file, arguments: { a: [1] } });
  expect(outcome).toEqual({
    type: 'success',
    text: '{"context":{"root":"/workspace","action":"run"},"name":"read_file","given":"{\\"a\\":[1]}","answers":"{}"}',
  });
});

it('starts a component that is linked with all of WASI, HTTP and sockets included', async () => {
  const world =
    'include ken:tool/tool@0.1.0; include wasi:cli/imports@0.2.12; include wasi:http/imports@0.2.12;';
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  writeFileSync(file, await dummyComponent({ world }));
  // Its functions are empty: it ends where it is called.
  await expect(call(probe().host, { file })).rejects.toMatchObject({
    code: 'wasm/trap',
    message: 'The tool crashed: unreachable.',
  });
});

it('gives every call an instance of its own', async () => {
  const source = `let calls = 0;\nexport function run() { calls += 1; return { tag: 'success', val: String(calls) }; }`;
  const file = await javascriptGuest({ source, world: FIRST_NAME, name: 'tool' });
  for (let at = 0; at < 3; at++) {
    expect((await call(probe().host, { file })).outcome).toEqual({ type: 'success', text: '1' });
  }
});

it.each([
  [
    { tag: 'success', val: 'text' },
    { type: 'success', text: 'text' },
  ],
  [
    { tag: 'error', val: { message: 'no', trace: ['a', 'b'], transient: true } },
    { type: 'error', message: 'no', trace: ['a', 'b'], transient: true },
  ],
  [
    {
      tag: 'needs-input',
      val: { id: 'q', text: 'Which?', answerType: '{"select":{"options":["a","b"]}}', default: '"b"' },
    },
    {
      type: 'needs-input',
      question: { id: 'q', text: 'Which?', answerType: { select: { options: ['a', 'b'] } }, default: 'b' },
    },
  ],
])('gives back %j as the same outcome as every other tool', async (given, outcome) => {
  const { host, file } = probe();
  expect((await call(host, { file, arguments: { outcome: given } })).outcome).toEqual(outcome);
});

it('asks no question that is longer than anybody reads', async () => {
  const { host, file } = probe();
  const val = { id: 'q', text: 'Which?', answerType: 'text', default: JSON.stringify('x'.repeat(262_144)) };
  expect((await call(host, { file, arguments: { outcome: { tag: 'needs-input', val } } })).outcome).toEqual({
    type: 'error',
    message: 'The tool asked a question that nobody could answer.',
    trace: [],
    transient: false,
  });
});

it('says what a component is without running it', async () => {
  expect(await probe().host.check({ file: READ_FILE }, never)).toEqual({
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    sizeBytes: statSync(READ_FILE).size,
    functions: [],
    imports: expect.arrayContaining(['ken:tool/types@0.1.0', 'wasi:filesystem/types@0.2.12']),
  });
});

it('runs only the bytes that were trusted', async () => {
  const { sha256 } = await probe().host.check({ file: READ_FILE }, never);
  const given = { workspace: workspace({ 'a.txt': 'ok' }) };
  expect((await call(probe().host, { ...given, sha256 })).outcome).toEqual({ type: 'success', text: 'ok' });
  await expect(call(probe().host, { ...given, sha256: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'wasm/changed',
  });
});

it('keeps the translation in a private directory and uses it in the next process', async () => {
  const cache = temporaryDirectory();
  const given = { workspace: workspace({ 'a.txt': 'ok' }) };
  const first = freshHost(cache);
  await call(first, given);
  await first.close();
  const components = path.join(cache, 'components');
  expect(statSync(components).mode & 0o777).toBe(0o700);
  const [entry = '', ...others] = readdirSync(components).sort();
  // What the engine made of the glue is for this engine alone.
  expect(others).toEqual([compiledName(entry)]);
  const glue = path.join(components, entry, 'tool.js');
  const { mtimeMs, ino } = statSync(glue);

  expect((await call(freshHost(cache), given)).outcome).toEqual({ type: 'success', text: 'ok' });
  expect(statSync(glue)).toMatchObject({ mtimeMs, ino });
});

const compiledName = (entry: string) => `${entry}.${process.version}-${process.arch}.glue`;

it('keeps what the engine made of the glue before any call, and nothing of a call', async () => {
  const cache = temporaryDirectory();
  const host = freshHost(cache);
  await host.warm({ file: READ_FILE });
  const components = path.join(cache, 'components');
  const [entry = ''] = readdirSync(components).filter((one) => !one.endsWith('.glue'));
  const compiled = path.join(components, compiledName(entry));
  const before = readFileSync(compiled);
  await call(host, { workspace: workspace({ 'a.txt': 'ok' }) });
  await host.close();
  expect(readFileSync(compiled).equals(before)).toBe(true);
});

it('keeps a translation under what it was made of: bytes, bindgen and limits', async () => {
  const cache = temporaryDirectory();
  const given = { workspace: workspace({ 'a.txt': 'ok' }) };
  for (const memoryMib of [32, 48]) {
    const host = wasmComponentHost({ cacheDirectory: cache, memoryMib, outputBytes: 1000 });
    onTestFinished(() => host.close());
    await call(host, given);
  }
  const manifest = path.join(
    import.meta.dirname,
    '../../node_modules/@bytecodealliance/jco-transpile/package.json',
  );
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const digest = createHash('sha256').update(readFileSync(READ_FILE)).digest('hex');
  const kept = readdirSync(path.join(cache, 'components')).filter((name) => !name.endsWith('.glue'));
  expect(kept.sort()).toEqual([
    expect.stringMatching(`^${digest}-jco${version}-\\d+-m32$`),
    expect.stringMatching(`^${digest}-jco${version}-\\d+-m48$`),
  ]);
});

it.each(['tool.js', 'tool.core.wasm', 'manifest.json'])(
  'repairs a translation whose %s is damaged',
  async (name) => {
    const cache = temporaryDirectory();
    const given = { workspace: workspace({ 'a.txt': 'ok' }) };
    await call(freshHost(cache), given);
    const components = path.join(cache, 'components');
    const [entry = ''] = readdirSync(components).filter((one) => !one.endsWith('.glue'));
    const file = path.join(components, entry, name);
    const { size } = statSync(file);
    truncateSync(file, size - 10);

    expect((await call(freshHost(cache), given)).outcome).toEqual({ type: 'success', text: 'ok' });
    expect(statSync(file).size).toBe(size);
  },
);

it('closes a cache directory that others could read', async () => {
  const cache = temporaryDirectory();
  mkdirSync(path.join(cache, 'components'));
  chmodSync(path.join(cache, 'components'), 0o777);
  await call(freshHost(cache), { workspace: workspace({ 'a.txt': 'ok' }) });
  expect(statSync(path.join(cache, 'components')).mode & 0o777).toBe(0o700);
});

it('does without a cache that is somebody else’s link', async () => {
  const cache = temporaryDirectory();
  const elsewhere = temporaryDirectory();
  symlinkSync(elsewhere, path.join(cache, 'components'));
  const { outcome } = await call(freshHost(cache), { workspace: workspace({ 'a.txt': 'ok' }) });
  expect(outcome).toEqual({ type: 'success', text: 'ok' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('runs a changed file as what it has become', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'tool.wasm');
  const host = freshHost(directory);
  copyFileSync(READ_FILE, file);
  expect((await call(host, { file, action: 'format-arguments' })).outcome).toMatchObject({
    text: 'read a.txt',
  });
  copyFileSync(probe().file, file);
  expect((await call(host, { file, action: 'format-arguments' })).outcome).toMatchObject({
    text: 'read_file {"path":"a.txt"}',
  });
});

it('is given up at once while it is translated, and the next call finds it ready', async () => {
  const cache = temporaryDirectory();
  const host = freshHost(cache);
  const stop = new AbortController();
  const given = { workspace: workspace({ 'a.txt': 'ok' }) };
  const calls = [call(host, given, stop.signal), host.check({ file: READ_FILE }, stop.signal)];
  stop.abort();
  for (const given of calls) await expect(given).rejects.toMatchObject({ code: 'tools/cancelled' });
  expect(readdirSync(path.join(cache, 'components'))).toEqual([]);
  expect((await call(host, given)).outcome).toEqual({ type: 'success', text: 'ok' });
});

it('does not hold it against a component that no sandbox could be started', async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  const host = freshHost(temporaryDirectory());
  process.execPath = '/nonexistent/node';
  await expect(host.check({ file: READ_FILE }, never)).rejects.toMatchObject({
    code: 'wasm/instantiate',
    message: 'The sandbox of the tool could not be started.',
  });
  process.execPath = execPath;
  expect(await host.check({ file: READ_FILE }, never)).toMatchObject({ functions: [] });
});

it('translates nothing any more when it is closed', async () => {
  const cache = temporaryDirectory();
  const host = freshHost(cache);
  const calls = [call(host, {}), host.check({ file: READ_FILE }, never)];
  const told = Promise.all(
    calls.map((given) => expect(given).rejects.toMatchObject({ code: 'tools/cancelled' })),
  );
  await host.close();
  await told;
  expect(readdirSync(path.join(cache, 'components'))).toEqual([]);
});

it('gets ready ahead of the first call, and keeps quiet about what cannot be', async () => {
  const host = freshHost(temporaryDirectory());
  await host.warm({ file: READ_FILE });
  await host.warm({ file: '/nonexistent.wasm' });
  expect((await call(host, { workspace: workspace({ 'a.txt': 'ok' }) })).outcome).toMatchObject({
    text: 'ok',
  });
});
