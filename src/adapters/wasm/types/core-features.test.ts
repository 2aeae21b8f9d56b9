import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ComponentError } from '../component-error.ts';
import { checkCoreFeatures } from './core-features.ts';
import { decodeComponent } from './decode-component.ts';
import { replaceTailCalls } from './replace-tail-calls.ts';

const READ_FILE = path.join(import.meta.dirname, '../../../../guests/read-file/read-file.wasm');

function refusal(check: () => unknown) {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ComponentError) return error.refusal;
    throw error;
  }
}

const REFERENCES = 'garbage collection or typed references';

it.each([
  ['a tag', '(tag)', 'exceptions'],
  ['a tag that is imported', '(import "a" "b" (tag))', 'exceptions'],
  ['a block that catches', '(func (block (try_table (catch_all 0))))', 'exceptions'],
  ['a reference to an exception', '(func (param exnref))', 'exceptions'],
  ['a struct', '(type (struct (field i32)))', REFERENCES],
  ['an array', '(type (array i32))', REFERENCES],
  ['a group of types', '(rec (type (func)) (type (func)))', REFERENCES],
  ['a reference that is never null', '(type $f (func)) (func (param (ref $f)))', REFERENCES],
  ['a small reference', '(func (drop (ref.i31 (i32.const 1))))', REFERENCES],
  ['a call by reference', '(type $f (func)) (func (call_ref $f (ref.null $f)))', REFERENCES],
  ['a local that is a reference', '(func (local anyref))', REFERENCES],
  ['a table of references', '(table 1 anyref)', REFERENCES],
  ['a global that is a reference', '(global anyref (ref.null any))', REFERENCES],
  ['64-bit memory', '(memory i64 1)', '64-bit memory'],
  ['a 64-bit table', '(table i64 1 funcref)', '64-bit memory'],
  ['shared memory', '(memory 1 1 shared)', 'threads or shared memory'],
  ['shared memory that is imported', '(import "a" "b" (memory 1 1 shared))', 'threads or shared memory'],
  ['an atomic instruction', '(memory 1) (func (drop (i32.atomic.load (i32.const 0))))', 'threads'],
  ['a fence', '(func atomic.fence)', 'threads'],
  ['small pages', '(memory 1 (pagesize 1))', 'memory with pages of another size'],
  [
    'wide numbers',
    '(func (result i64 i64) (i64.mul_wide_u (i64.const 1) (i64.const 1)))',
    'an instruction that WebAssembly 2.0 does not have',
  ],
])('refuses %s', async (_, wat, feature) => {
  const module = await parse(`(module ${wat})`);
  expect(refusal(() => checkCoreFeatures(module))).toEqual({
    code: 'wasm/unsupported-feature',
    message: `The component uses ${feature}, which tools may not use.`,
    hint: 'Build it for WebAssembly 2.0 and WASI 0.2, without that feature.',
  });
});

/** One of each kind of operand, so that a wrong length would show in what follows. */
const EVERYTHING = `
  (type $f (func (param i32) (result i32)))
  (import "m" "f" (func $imported (type $f)))
  (import "m" "g" (global $given i32))
  (memory 1 2) (memory $second 1)
  (table $t 4 8 funcref) (table $e 1 externref)
  (global $g (mut i64) (i64.const -1))
  (global (mut v128) (v128.const i64x2 1 -1))
  (global i32 (i32.add (global.get $given) (i32.const 1)))
  (elem (table $t) (i32.const 0) func $imported $body)
  (elem $passive funcref (ref.func $imported) (ref.null func))
  (elem declare func $body)
  (data (i32.const 8) "abc") (data $d "def") (data (memory $second) (i32.const 0) "x")
  (func $body (export "body") (type $f) (local i32 i64) (local v128 externref)
    (block (result i32) (loop (br_table 0 0 0 (local.get 0))) unreachable)
    (if (param i32) (result i32) (i32.const 1) (then) (else (drop) (i32.const 2)))
    (drop (call_indirect $t (type $f) (i32.const 300) (i32.const 0)))
    (drop (f32.const 1.5)) (drop (f64.const 2.5)) (drop (i64.const -9223372036854775808))
    (drop (i32.load8_u offset=70000 (i32.const 0)))
    (drop (i32.load $second offset=4 align=2 (i32.const 0)))
    (drop (i32.trunc_sat_f64_s (f64.const 1)))
    (memory.init $d (i32.const 0) (i32.const 0) (i32.const 0)) (data.drop $d)
    (memory.copy $second 0 (i32.const 0) (i32.const 0) (i32.const 0))
    (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))
    (table.init $t $passive (i32.const 0) (i32.const 0) (i32.const 0)) (elem.drop $passive)
    (table.copy $t $t (i32.const 0) (i32.const 0) (i32.const 0))
    (drop (table.grow $t (ref.null func) (i32.const 1))) (drop (table.size $t))
    (table.fill $t (i32.const 0) (ref.func $body) (i32.const 0))
    (table.set $t (i32.const 0) (table.get $t (i32.const 0)))
    (drop (ref.is_null (local.get 4)))
    (drop (select (result i32) (i32.const 1) (i32.const 2) (i32.const 0)))
    (drop (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (local.get 3) (local.get 3)))
    (drop (i8x16.extract_lane_s 3 (local.get 3)))
    (drop (v128.load8_lane offset=200 1 (i32.const 0) (local.get 3)))
    (drop (v128.load32_zero (i32.const 0)))
    (drop (i32x4.relaxed_trunc_f32x4_s (local.get 3)))
    (drop (memory.grow (i32.const 0))) (drop (memory.size $second))
    (global.set $g (i64.extend8_s (global.get $g)))
    (drop (i32.const -2147483648))
    return)`;

it('accepts everything that WebAssembly 2.0 has', async () => {
  const module = await parse(`(module ${EVERYTHING})`);
  expect(new WebAssembly.Module(Uint8Array.from(module))).toBeDefined();
  expect(refusal(() => checkCoreFeatures(module))).toBeUndefined();
  expect(replaceTailCalls(module)).toBe(module);
});

const TAIL_CALLS = `(module
  (type $f (func (param i32) (result i32)))
  (table 1 funcref) (elem (i32.const 0) func $down)
  (func $down (export "down") (type $f)
    (if (result i32) (i32.eqz (local.get 0))
      (then (i32.const 42))
      (else (return_call_indirect (type $f) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))))
  (func (export "spin") (result i32) (return_call $spin))
  (func $spin (result i32) (return_call $spin)))`;

it('makes ordinary calls of tail calls', async () => {
  const module = await parse(TAIL_CALLS);
  expect(refusal(() => checkCoreFeatures(module))).toBeUndefined();
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(Uint8Array.from(replaceTailCalls(module))),
  );
  const call = (name: string, ...given: number[]) => {
    const found = exports[name];
    if (typeof found !== 'function') throw new Error(`no ${name}`);
    return found(...given);
  };
  expect(call('down', 1000)).toBe(42);
  expect(() => call('spin')).toThrow(RangeError);
});

it('refuses opcodes in more bytes than they need', () => {
  // memory.size 0; drop as 0xfc 0x90 0x00 would be table.size in three bytes.
  const body = [0, 0xfc, 0x90, 0x00, 0, 0x1a, 0x0b];
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 10, body.length + 2, 1, body.length, ...body];
  expect(refusal(() => checkCoreFeatures(Uint8Array.from(module)))).toMatchObject({
    message: 'The component uses opcodes in an unusual form, which tools may not use.',
  });
});

it('survives any damage to a component', () => {
  const whole = readFileSync(READ_FILE);
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const damaged = Buffer.from(whole);
      for (const [at, byte] of changes) damaged[at] = byte;
      refusal(() => decodeComponent(damaged).modules.forEach(checkCoreFeatures));
    }),
    { numRuns: 100 },
  );
});

it('does not believe a count that is larger than the file', () => {
  const header = [0, 97, 115, 109, 0x0d, 0, 1, 0];
  const component = [...header, 7, 6, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x40];
  expect(refusal(() => decodeComponent(Uint8Array.from(component)))).toMatchObject({
    code: 'wasm/malformed',
  });
});
