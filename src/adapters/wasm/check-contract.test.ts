import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { type DummyWorld, dummyComponent } from '../../../test/wasm/dummy-component.ts';
import { witFilesIn } from './built-files.ts';
import { checkContract } from './check-contract.ts';
import { ComponentError, type ComponentRefusal } from './component-error.ts';
import { unsignedBytes } from './types/byte-reader.ts';
import { hostTypes } from './types/host-types.ts';
import { ownFunctions } from './types/own-functions.ts';

const host = hostTypes(witFilesIn(path.join(import.meta.dirname, '../../../wit')));
const EVERYTHING =
  'include ken:tool/tool@0.1.0; include wasi:cli/imports@0.2.12; include wasi:http/imports@0.2.12;';
const FILES = 'include ken:tool/tool@0.1.0; import wasi:filesystem/types@0.2.12;';

function refusal(component: Uint8Array): ComponentRefusal | undefined {
  try {
    checkContract(component, host);
    return undefined;
  } catch (error) {
    if (error instanceof ComponentError) return error.refusal;
    throw error;
  }
}

const refusalOf = async (world: DummyWorld) => refusal(await dummyComponent(world));

/** Replaces a part that must be there. */
const replacing = (before: string, after: string) => (wit: string) => {
  expect(wit).toContain(before);
  return wit.replaceAll(before, after);
};

it('accepts every interface of WASI that the host offers', async () => {
  const { imports } = checkContract(await dummyComponent({ world: EVERYTHING }), host);
  expect(imports).toHaveLength(30);
});

it.each(['0.2.0', '0.2.3', '0.2.99'])('accepts WASI %s', async (version) => {
  const world = EVERYTHING.replaceAll('0.2.12', version);
  expect(await refusalOf({ world, change: replacing('0.2.12', version) })).toBeUndefined();
});

it.each(['0.3.0', '0.1.0', '1.0.0', '0.2.0-rc-2023-11-10'])('refuses WASI %s', async (version) => {
  const world = FILES.replaceAll('0.2.12', version);
  expect(await refusalOf({ world, change: replacing('0.2.12', version) })).toMatchObject({
    code: 'wasm/unknown-import',
    message: expect.stringMatching(/^The component wants what this host does not offer: wasi:/),
  });
});

const descriptor = (member: string) => replacing('resource descriptor {', `resource descriptor { ${member}`);

it.each([
  ['a constructor', 'constructor(fd: u32);', '[constructor]descriptor'],
  ['a static function', 'to-string: static func() -> string;', '[static]descriptor.to-string'],
  ['a method', 'value-of: func() -> descriptor;', '[method]descriptor.value-of'],
])('refuses %s that WASI does not have', async (_, member, name) => {
  expect(await refusalOf({ world: FILES, change: descriptor(member) })).toMatchObject({
    code: 'wasm/unknown-import',
    message: `The component imports wasi:filesystem/types ${name}, which WASI does not have.`,
  });
});

it('refuses a function and a resource that WASI does not have', async () => {
  const change = replacing(
    'record metadata-hash-value',
    'to-string: func() -> string; resource key; record metadata-hash-value',
  );
  expect(await refusalOf({ world: FILES, change })).toMatchObject({
    message:
      'The component imports wasi:filesystem/types to-string, wasi:filesystem/types key, which WASI does not have.',
  });
});

it.each([
  [
    'a parameter',
    'length: filesize,\n            offset',
    'length: u32,\n            offset',
    'of [method]descriptor.read, length is u32, not u64',
  ],
  [
    'a parameter that is a list',
    'buffer: list<u8>',
    'buffer: list<u16>',
    'of [method]descriptor.write, buffer is u16, not u8',
  ],
  [
    "a parameter's name",
    'buffer: list<u8>',
    'data: list<u8>',
    'of [method]descriptor.write, its parameters are (self, data, offset), not (self, buffer, offset)',
  ],
  [
    'a parameter more',
    'buffer: list<u8>',
    'buffer: list<u8>, key: u8',
    'of [method]descriptor.write, its parameters are (self, buffer, key, offset), not (self, buffer, offset)',
  ],
  [
    'a result',
    'get-type: func() -> result<descriptor-type',
    'get-type: func() -> result<descriptor-flags',
    'of [method]descriptor.get-type, result is flags { read, write, file-integrity-sync, data-integrity-sync, requested-write-sync, mutate-directory }, not enum { unknown, block-device, character-device, directory, fifo, symbolic-link, regular-file, socket }',
  ],
  [
    'a result that is gone',
    'is-same-object: func(other: borrow<descriptor>) -> bool',
    'is-same-object: func(other: borrow<descriptor>)',
    'of [method]descriptor.is-same-object, result is nothing, not bool',
  ],
  [
    'a handle that is given away',
    'is-same-object: func(other: borrow<descriptor>)',
    'is-same-object: func(other: descriptor)',
    'of [method]descriptor.is-same-object, other is wasi:filesystem/types.descriptor, not borrow<wasi:filesystem/types.descriptor>',
  ],
  [
    'a handle of another kind',
    'func(err: borrow<error>) -> option<error-code>;\n}',
    'func(err: borrow<descriptor>) -> option<error-code>;\n}',
    'of filesystem-error-code, err is borrow<wasi:filesystem/types.descriptor>, not borrow<wasi:io/error.error>',
  ],
  [
    'a field of a record',
    'lower: u64',
    'lowest: u64',
    'metadata-hash-value is record { lowest: u64, upper: u64 }, not record { lower: u64, upper: u64 }',
  ],
  [
    'a field more',
    'lower: u64,',
    'lower: u64, key: string,',
    'metadata-hash-value is record { lower: u64, key: string, upper: u64 }, not record { lower: u64, upper: u64 }',
  ],
  [
    'a case of an enum',
    'will-need,',
    '',
    'advice is enum { normal, sequential, random, dont-need, no-reuse }, not enum { normal, sequential, random, will-need, dont-need, no-reuse }',
  ],
  [
    'a case of a variant',
    'timestamp(datetime)',
    'timestamp(u64)',
    'new-timestamp.timestamp is u64, not record { seconds: u64, nanoseconds: u32 }',
  ],
  ['a flag', 'symlink-follow,', 'follow,', 'path-flags is flags { follow }, not flags { symlink-follow }'],
  [
    'a resource that is its own',
    'use wasi:io/streams@0.2.12.{input-stream, output-stream, error};',
    'use wasi:io/streams@0.2.12.{output-stream, error}; resource input-stream;',
    'input-stream is resource wasi:filesystem/types.input-stream, not resource wasi:io/streams.input-stream',
  ],
])('refuses another type of %s', async (_, before, after, difference) => {
  expect(await refusalOf({ world: FILES, change: replacing(before, after) })).toMatchObject({
    code: 'wasm/unknown-import',
    message: `The component imports wasi:filesystem/types with a type that WASI does not have: ${difference}.`,
  });
});

it('refuses a record under another name', async () => {
  const change = replacing('metadata-hash-value', 'hash-value');
  expect(await refusalOf({ world: FILES, change })).toMatchObject({
    message: 'The component imports wasi:filesystem/types hash-value, which WASI does not have.',
  });
});

it.each([
  [
    'jp:tool/types@0.1.0',
    'The component imports one interface twice: ken:tool/types@0.1.0, jp:tool/types@0.1.0.',
  ],
  [
    'ken:tool/types@0.1.1',
    'The component imports one interface twice: ken:tool/types@0.1.0, ken:tool/types@0.1.1.',
  ],
  ['evil:tool/types@0.1.0', 'The component wants what this host does not offer: evil:tool/types@0.1.0.'],
])('refuses a second package of types: %s', async (name, message) => {
  const wat = `(component (import "ken:tool/types@0.1.0" (instance)) (import "${name}" (instance)))`;
  expect(refusal(await parse(wat))).toMatchObject({ code: 'wasm/unknown-import', message });
});

it('refuses a run with types of its own that look alike, beside the right ones', async () => {
  const world =
    'import ken:tool/types@0.1.0; use mine.{outcome, context}; export run: func(ctx: context, name: string, arguments: string, answers: string) -> outcome;';
  const mine =
    'interface mine { use ken:tool/types@0.1.0.{error-info, question, context}; variant outcome { success(list<u8>), error(error-info), needs-input(question) } }';
  expect(await refusalOf({ world, more: mine })).toMatchObject({ code: 'wasm/unknown-import' });
});

it.each([
  ['a parameter', 'name: string, arguments', 'name: u32, arguments', 'of its "run", name is u32, not string'],
  [
    'the result',
    '-> outcome;',
    '-> result<outcome>;',
    'of its "run", result is result<variant { success(…), error(…), needs-input(…) }, _>, not variant { success(string), error(record { message: …, trace: …, transient: … }), needs-input(record { id: …, text: …, answer-type: …, default: … }) }',
  ],
  ['a type', 'default: option<string>', 'default: option<bool>', 'question.default is bool, not string'],
])('refuses a run with another type of %s', async (_, before, after, difference) => {
  const world = 'include ken:tool/tool@0.1.0;';
  expect(await refusalOf({ world, change: replacing(before, after) })).toMatchObject({
    code: 'wasm/wrong-signature',
    message: `The component does not implement ken:tool@0.1.0: ${difference}.`,
  });
});

it.each([
  ['a resource', 'export legs: interface { resource leg; } export walk: func(); ', undefined],
  ['types of too many parts', `${deepType()} export walk: func(on: t12);`, 'wasm/wrong-signature'],
  [
    'names that are too long',
    `enum step { ${longNames()} } export walk: func(on: step);`,
    'wasm/wrong-signature',
  ],
  [
    'a resource',
    'export legs: interface { resource leg { walk: func(); } } export walk: func();',
    'wasm/wrong-signature',
  ],
  [
    'the name of another one',
    'export legs: interface { walk: func(); } export walk: func();',
    'wasm/wrong-signature',
  ],
])('takes functions of its own world, but none with %s', async (what, world, code) => {
  const refused = await refusalOf({ world });
  expect(refused?.code).toBe(code);
  if (code) expect(refused?.message).toContain(what);
});

/** Each type has the one before it twice, so that the last one has thousands of parts. */
function deepType(): string {
  const types = Array.from({ length: 12 }, (_, at) => `type t${at + 1} = tuple<t${at}, t${at}>;`);
  return ['type t0 = u8;', ...types].join('\n');
}

function longNames(): string {
  return Array.from({ length: 100 }, (_, at) => `x${at}${'-long'.repeat(50)}`).join();
}

it('says little of a long name', async () => {
  const parameter = 'x'.repeat(50_000);
  const world = `import ken:tool/types@0.1.0; export run: func(${parameter}: u8);`;
  expect((await refusalOf({ world }))?.message.length).toBeLessThan(4000);
});

it('refuses a component without functions', async () => {
  expect(await refusalOf({ world: 'export walk: interface { type step = u8; }' })).toMatchObject({
    code: 'wasm/wrong-world',
    message: 'The component does not implement ken:tool@0.1.0: it exports walk, and not a function "run".',
  });
});

const CORE =
  '(core module $m (func (export "f") (result i32) unreachable) (func (export "c") (param i32 i32 i32) (result i32) unreachable)) (core instance $i (instantiate $m))';

it.each([
  [
    'an asynchronous function',
    `${CORE} (func (export "run") async (canon lift (core func $i "f") async (callback (core func $i "c"))))`,
    'asynchronous functions',
  ],
  [
    'an asynchronous import',
    '(type $t (func)) (import "a:b/c" (instance $n (export "f" (func)))) (core func (canon lower (func $n "f") async))',
    'asynchronous functions',
  ],
  ['a task', '(core func (canon task.return (result u32)))', 'asynchronous functions or threads'],
  ['a stream', '(type (stream u8))', 'asynchronous values'],
  ['a future', '(type (future u8))', 'asynchronous values'],
  ['a parameter that is an error context', '(type (func (param "x" error-context)))', 'asynchronous values'],
])('refuses %s, also inside another component', async (_, wat, feature) => {
  const message = `The component uses ${feature}, which tools may not use.`;
  const code = 'wasm/unsupported-feature';
  expect(refusal(await parse(`(component ${wat})`))).toMatchObject({ code, message });
  expect(refusal(await parse(`(component (component ${wat}))`))).toMatchObject({ code, message });
});

it.each([
  ['(type (struct (field i32)))', 'garbage collection or typed references'],
  ['(tag)', 'exceptions'],
  ['(memory i64 1)', '64-bit memory'],
  ['(memory 1 1 shared)', 'threads or shared memory'],
])('refuses a core module with %s, also inside another component', async (wat, feature) => {
  const core = `(core module ${wat})`;
  const refused = {
    code: 'wasm/unsupported-feature',
    message: `The component uses ${feature}, which tools may not use.`,
  };
  expect(refusal(await parse(`(component ${core})`))).toMatchObject(refused);
  expect(refusal(await parse(`(component (component ${core}))`))).toMatchObject(refused);
});

const sized = (bytes: Uint8Array) => Buffer.concat([unsignedBytes(bytes.length), bytes]);
const section = (id: number, ...items: readonly Uint8Array[]) =>
  Buffer.concat([Uint8Array.of(id), sized(Buffer.concat([unsignedBytes(items.length), ...items]))]);
const named = (name: string) => Buffer.concat([Uint8Array.of(0), sized(Buffer.from(name))]);

it('refuses a long name that many imports have, and reads it a few times only', () => {
  const empty = [0x01, 0x40, 0x00, 0x01, 0x00];
  const exported = [Uint8Array.of(0x04), named('x'.repeat(1024 ** 2)), Uint8Array.of(0x01, 0x00)];
  const type = Buffer.concat([Uint8Array.of(0x42, 0x02, ...empty), ...exported]);
  const imports = Array.from({ length: 200 }, (_, at) =>
    Buffer.concat([named(`a:b/c${at}`), Uint8Array.of(0x05, 0x00)]),
  );
  const header = Uint8Array.of(0, 97, 115, 109, 0x0d, 0, 1, 0);
  const component = Buffer.concat([header, section(7, type), section(10, ...imports)]);
  expect(refusal(component)).toMatchObject({ code: 'wasm/too-large' });
});

it('looks at no more functions than a component may have', () => {
  let looked = 0;
  const functions = new Map(
    Array.from({ length: 50 }, (_, at) => [`f${at}`, { parameters: [], result: undefined }]),
  );
  const exports = Array.from({ length: 1000 }, (_, at) => ({
    name: `a:b/c${at}`,
    kind: 'interface' as const,
    get type() {
      looked += 1;
      return { types: new Map(), functions };
    },
  }));
  expect(() => ownFunctions({ exports, imports: [], modules: [], docs: undefined })).toThrow(ComponentError);
  expect(looked).toBe(2);
});

it('refuses components that are nested too deeply', async () => {
  const wat = Array.from({ length: 30 }).reduce<string>((inner) => `(component ${inner})`, '');
  expect(refusal(await parse(wat))).toMatchObject({ code: 'wasm/unsupported-feature' });
});
