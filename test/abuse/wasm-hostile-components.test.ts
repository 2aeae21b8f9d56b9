/** Files that claim to be tools: damaged, unfit, or written to break the host that reads them. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import { GuestProcess } from '../../src/adapters/wasm/process/guest-process.ts';
import { GUEST_RUNNER, startRunner } from '../../src/adapters/wasm/process/runner-process.ts';
import { LoadedComponent } from '../../src/adapters/wasm/runner/loaded-component.ts';
import { Fault } from '../../src/base/fault.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { javascriptGuest } from '../wasm/build-guest.ts';
import { probeHost } from '../wasm/probe-host.ts';

const probe = probeHost();
const READ_FILE = path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm');

function fileOf(content: Uint8Array | string): string {
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  writeFileSync(file, content);
  return file;
}

const never = new AbortController().signal;
const checkFile = (file: string) => probe().host.check({ file }, never);
const check = (content: Uint8Array | string) => checkFile(fileOf(content));
const fromText = async (wat: string) => check(await parse(wat));

it('is not found', async () => {
  await expect(checkFile('/nonexistent/tool.wasm')).rejects.toMatchObject({
    code: 'wasm/not-found',
    message: 'There is no component at /nonexistent/tool.wasm.',
  });
});

it.each([
  ['an empty file', '', 'wasm/not-wasm', 'The file is not WebAssembly.'],
  ['text', '#!/bin/sh\n', 'wasm/not-wasm', 'The file is not WebAssembly.'],
  [
    'a core module',
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
    'wasm/core-module',
    'The file is a core WebAssembly module, not a component.',
  ],
  [
    'an unknown version',
    Uint8Array.of(0, 97, 115, 109, 9, 0, 1, 0),
    'wasm/malformed',
    'The file is an unknown kind of WebAssembly.',
  ],
])('is %s', async (_, content, code, message) => {
  await expect(check(content)).rejects.toMatchObject({ code, message });
});

it('is larger than anything that is read', async () => {
  const file = fileOf(readFileSync(READ_FILE));
  truncateSync(file, 64 * 1024 ** 2 + 1);
  await expect(checkFile(file)).rejects.toMatchObject({ code: 'wasm/too-large' });
});

it('is a directory', async () => {
  await expect(checkFile(temporaryDirectory())).rejects.toMatchObject({
    code: 'wasm/not-wasm',
  });
});

it.each([9, 100, 5000, 40_000])('is cut after %i bytes', async (length) => {
  await expect(check(readFileSync(READ_FILE).subarray(0, length))).rejects.toMatchObject({
    code: 'wasm/malformed',
  });
});

it('is damaged anywhere: the host answers a Fault or a tool, and goes on', async () => {
  const whole = readFileSync(READ_FILE);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const damaged = Buffer.from(whole);
        for (const [at, byte] of changes) damaged[at] = byte;
        const answer = await check(damaged).catch((error: unknown) => error);
        if (answer instanceof Error) expect(answer).toBeInstanceOf(Fault);
      },
    ),
    { numRuns: scaled(15) },
  );
});

it('implements no world at all', async () => {
  await expect(fromText('(component)')).rejects.toMatchObject({
    code: 'wasm/wrong-world',
    message: 'The component does not implement ken:tool@0.1.0: it exports nothing, and not a function "run".',
  });
});

it('has a function of its own, which becomes a tool', async () => {
  const wat = `(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
    (func $f (canon lift (core func $i "f"))) (export "walk" (func $f)))`;
  const { functions } = await fromText(wat);
  expect(functions.map(({ name }) => name)).toEqual(['walk']);
});

it('has a run with no arguments', async () => {
  const wat = `(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
    (func $f (canon lift (core func $i "f"))) (export "run" (func $f)))`;
  await expect(fromText(wat)).rejects.toMatchObject({
    code: 'wasm/wrong-signature',
    message:
      'The component does not implement ken:tool@0.1.0: of its "run", its parameters are (), not (ctx, name, arguments, answers).',
  });
});

const TYPES = `enum action { run, format-arguments }
  record context { root: string, action: action }
  record error-info { message: string, trace: list<string>, transient: bool }
  record question { id: string, text: string, answer-type: string, default: option<string> }
  variant outcome { success(string), error(error-info), needs-input(question) }`;

it.each([
  ['a missing case of outcome', ', needs-input(question)', '', ': outcome is variant {'],
  [
    'another type in question',
    'default: option<string>',
    'default: option<bool>',
    'question.default is bool,',
  ],
  ['another action', 'format-arguments', 'format', 'action is enum { run, format }'],
  ['another type of an argument', 'name: string', 'name: u32', 'of its "run", name is u32, not string.'],
  ['an argument too many', 'answers: string', 'answers: string, more: string', 'its parameters are (ctx,'],
  ['another result', '-> outcome', '-> string', 'of its "run", result is string, not variant {'],
])('has a run with %s', async (_, before, after, message) => {
  const world = `package ken:tool@0.1.0;
interface types { ${TYPES} }
world tool { use types.{context, outcome};
  export run: func(ctx: context, name: string, arguments: string, answers: string) -> outcome; }`;
  const changed = world.replaceAll(before, after);
  expect(changed).not.toBe(world);
  const file = await javascriptGuest({ source: 'export function run() {}', world: changed, name: 'tool' });
  await expect(checkFile(file)).rejects.toMatchObject({
    code: 'wasm/wrong-signature',
    message: expect.stringContaining(message),
  });
});

it.each([
  'evil:net/http@1.0.0',
  'wasi:http/incoming-handler@0.2.0',
  'wasi:cli/exit@0.3.0',
  'wasi:clocks/timezone@0.2.0',
  'wasi:filesystem/mounts@0.2.0',
])('wants %s', async (name) => {
  const wat = `(component (import "${name}" (instance $i (export "go" (func))))
    (core func $go (canon lower (func $i "go")))
    (core module $m (import "host" "go" (func)) (func (export "f") (call 0)))
    (core instance $k (instantiate $m (with "host" (instance (export "go" (func $go))))))
    (func $f (canon lift (core func $k "f"))) (export "run" (func $f)))`;
  await expect(fromText(wat)).rejects.toMatchObject({
    code: 'wasm/unknown-import',
    message: `The component wants what this host does not offer: ${name}.`,
    hint: 'Tools may import WASI 0.2 and nothing else.',
  });
});

it.each(['"plain"', '"url=<http://example.org/x>"', '"unlocked-dep=<a:b>"'])(
  'wants a bare %s',
  async (name) => {
    await expect(fromText(`(component (import ${name} (func)))`)).rejects.toBeInstanceOf(Fault);
  },
);

/** As the key of an object, and as an index: each ends the string it is in and goes on as code. */
const AS_KEY = "x':(globalThis.executed=true),'y";
const AS_INDEX = "x']+(globalThis.executed=true)+['y";

/** The positions in which the names of core modules come to stand in the glue. */
const POSITIONS: [position: string, code: string, wat: (name: string) => string][] = [
  [
    'a module name',
    AS_KEY,
    (name) => `(component
    (core module $a (func (export "f")))
    (core module $b (import ${name} "f" (func)) (func (export "g") (call 0)))
    (core instance $i (instantiate $a))
    (core instance $k (instantiate $b (with ${name} (instance $i))))
    (func $f (canon lift (core func $k "g"))) (export "run" (func $f)))`,
  ],
  [
    'an import',
    AS_KEY,
    (name) => `(component
    (core module $a (func (export "f")))
    (core module $b (import "m" ${name} (func)) (func (export "g") (call 0)))
    (core instance $i (instantiate $a))
    (core instance $k (instantiate $b (with "m" (instance (export ${name} (func $i "f"))))))
    (func $f (canon lift (core func $k "g"))) (export "run" (func $f)))`,
  ],
  [
    'an export that is passed on',
    AS_INDEX,
    (name) => `(component
    (core module $a (func (export ${name})))
    (core module $b (import "m" "f" (func)) (func (export "g") (call 0)))
    (core instance $i (instantiate $a))
    (core instance $k (instantiate $b (with "m" (instance (export "f" (func $i ${name}))))))
    (func $f (canon lift (core func $k "g"))) (export "run" (func $f)))`,
  ],
  [
    'an export that is the tool',
    AS_INDEX,
    (name) => `(component
    (core module $a (func (export ${name})))
    (core instance $i (instantiate $a))
    (func $f (canon lift (core func $i ${name}))) (export "run" (func $f)))`,
  ],
];
const BINDGEN = {
  name: 'tool',
  map: [],
  instantiation: { tag: 'sync' as const },
  noNodejsCompat: true,
  noNamespacedExports: true,
  base64Cutoff: 0,
};

it.each(POSITIONS)('has code in the name of %s', async (_, code, wat) => {
  await expect(fromText(wat(JSON.stringify(code)))).rejects.toMatchObject({
    code: 'wasm/unsafe-name',
    message: `The component holds a name that could be executed as code: ${JSON.stringify(code)}.`,
  });
});

it.each(POSITIONS)('would execute the code in the name of %s without that check', async (_, code, wat) => {
  await $init;
  const { files } = generate(await parse(wat(JSON.stringify(code))), BINDGEN);
  const sources = new Map(files.map(([name, bytes]) => [name, bytes]));
  const glue = new TextDecoder().decode(sources.get('tool.js')).replace(/^export /gm, '');
  const modules = (name: string) => new WebAssembly.Module(Uint8Array.from(sources.get(name) ?? []));
  Reflect.deleteProperty(globalThis, 'executed');
  const instantiate = new Script(`(() => { ${glue}\nreturn instantiate; })()`).runInThisContext();
  try {
    instantiate(modules, {}).run();
  } catch {
    // Code that stands in the place of a name usually breaks what follows.
  }
  expect(Reflect.get(globalThis, 'executed')).toBe(true);
  Reflect.deleteProperty(globalThis, 'executed');
});

it.each(['\\', "'", '"', '`', '\n', '\u2028', '\u0000', 'é', '\ufeff'])(
  'has %j in a name',
  async (character) => {
    const name = `"${[...new TextEncoder().encode(`${character}b`)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    const wat = `(component (core module $a (func (export ${name}))) (core instance (instantiate $a)))`;
    await expect(fromText(wat)).rejects.toMatchObject({ code: 'wasm/unsafe-name' });
  },
);

it('is small and unfolds into hundreds of thousands of instances', async () => {
  let wat = '(component (core module $m (memory 1)) (core instance (instantiate $m)))';
  for (let depth = 0; depth < 18; depth++) {
    wat = `(component (component $c ${wat.slice('(component '.length)} (instance (instantiate $c)) (instance (instantiate $c)))`;
  }
  const bytes = await parse(wat);
  expect(bytes.length).toBeLessThan(1000);
  await expect(check(bytes)).rejects.toBeInstanceOf(Fault);
});

it('is translated once, when the translation fails', async () => {
  const bytes = readFileSync(READ_FILE);
  // A core module lacks what the component takes from it, which only the bindgen notices.
  const damaged = Buffer.from(bytes.toString('latin1').replace('cabi_realloc', 'cabi_reallox'), 'latin1');
  const file = fileOf(damaged);
  const first = await checkFile(file).catch((error: unknown) => error);
  expect(first).toMatchObject({ code: 'wasm/malformed' });
  expect(await checkFile(file).catch((error: unknown) => error)).toBe(first);
});

it('is translated once by all processes, when the translation fails', async () => {
  const damaged = readFileSync(READ_FILE).toString('latin1').replace('cabi_realloc', 'cabi_reallox');
  const file = fileOf(Buffer.from(damaged, 'latin1'));
  const cacheDirectory = temporaryDirectory();
  const checkAnew = async () => {
    const host = wasmComponentHost({ cacheDirectory, memoryMib: 64, outputBytes: 1 });
    await expect(host.check({ file }, never)).rejects.toMatchObject({ code: 'wasm/malformed' });
    return host.check({ file }, never).catch(({ message }: Fault) => message);
  };
  expect(await checkAnew()).toContain('The component cannot be read: ');
  const components = path.join(cacheDirectory, 'components');
  const [name = ''] = readdirSync(components).filter((each) => each.endsWith('.refused'));
  const refusal = JSON.stringify({ code: 'wasm/malformed', message: 'It was told before.' });
  writeFileSync(path.join(components, name), refusal);
  expect(await checkAnew()).toBe('It was told before.');
});

const MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1);

it.each([
  ['with memory of its own', 3, { memoryPages: 512, tableEntries: 0 }],
  ['with a table of its own', 3, { memoryPages: 0, tableEntries: 500_000 }],
  ['with nothing of its own', 1001, { memoryPages: 0, tableEntries: 0 }],
])('instantiates one module again and again, each time %s', async (_, times, cost) => {
  const instantiate = (count: number) =>
    new LoadedComponent({
      glue: `((get, imports, start) => { for (let at = 0; at < ${count}; at++) start(get('m')); return {}; })`,
      compiledGlue: undefined,
      modules: [{ name: 'm', bytes: MODULE, ...cost }],
      memoryPages: 1024,
    }).instantiate({});
  instantiate(times - 1);
  expect(() => instantiate(times)).toThrow('The component instantiates more modules than it has room for.');
});

/** Globals that escaped code would look for. */
const LOOK = `[typeof process, typeof require, typeof fetch, typeof WebSocket, typeof navigator, Function('return typeof process')()].join(' ')`;

it('finds neither Node nor the network, should code ever come to run', async () => {
  const component = {
    key: 'injected',
    facts: { sha256: '', sizeBytes: 0, imports: [], functions: [] },
    functions: [],
    parts: {
      glue: `(() => ({ run: () => ({ tag: 'success', val: ${LOOK} }) }))`,
      compiledGlue: undefined,
      modules: [],
      memoryPages: 1,
    },
    cacheCompiledGlue() {},
  };
  const limits = { memoryMib: 64, outputBytes: 1 };
  const guest = new GuestProcess(component, await startRunner(GUEST_RUNNER), limits);
  await guest.load();
  const { done } = await guest.call(
    { tool: '', action: 'run', argumentsJson: '{}', answersJson: '{}', root: '/', directories: [] },
    { timeoutMs: 5000, signal: never },
  );
  await guest.end();
  expect(done.outcome.val).toBe('undefined undefined undefined undefined undefined undefined');
});

it('finds Node and the network in a process that nobody has prepared', () => {
  const found = execFileSync(process.execPath, ['-p', LOOK], { encoding: 'utf8' });
  expect(found).toBe('object function function function object object\n');
});
