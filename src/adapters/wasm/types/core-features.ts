/**
 * Checks that a core module uses WebAssembly 2.0 and tail calls, and nothing newer, by reading every instruction. The
 * engine accepts more, of which no limit holds: garbage-collected memory, threads.
 */

import { ComponentError } from '../component-error.ts';
import { ByteReader, damaged, unsupported } from './byte-reader.ts';

const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Throws a ComponentError that names the feature. Takes time in proportion to the module's size. */
export function checkCoreFeatures(module: Uint8Array): void {
  checkSections(module, SECTIONS);
}

/** Looks at the names alone, which is fast. */
export function checkCoreNames(module: Uint8Array): void {
  checkSections(module, { 2: checkImport, 7: checkExport });
}

type SectionChecks = Readonly<Record<number, (reader: ByteReader) => void>>;

function checkSections(module: Uint8Array, checks: SectionChecks): void {
  const reader = new ByteReader(module, { at: 0, end: module.length });
  for (const byte of PREAMBLE) if (reader.byte() !== byte) throw damaged();
  while (!reader.isDone) {
    const section = reader.byte();
    const content = reader.part(reader.unsigned());
    if (section === 13) throw unsupported(EXCEPTIONS);
    if (section > 13) throw unsupported('a section that WebAssembly 2.0 does not have');
    const check = checks[section];
    if (!check) continue;
    content.each(check);
    content.finish();
  }
}

const EXCEPTIONS = 'exceptions';
const GARBAGE_COLLECTION = 'garbage collection or typed references';
const THREADS = 'threads';
const STACK_SWITCHING = 'stack switching';

/** The sections that can hold a feature or a name; the others hold numbers. */
const SECTIONS: SectionChecks = {
  1: checkFunctionType,
  2: checkImport,
  4: checkTable,
  5: checkLimits,
  6: checkGlobal,
  7: checkExport,
  9: checkElements,
  10: checkFunction,
  11: checkData,
};

function checkFunctionType(reader: ByteReader): void {
  const kind = reader.byte();
  if (kind !== 0x60) throw kind >= 0x4e && kind <= 0x5f ? unsupported(GARBAGE_COLLECTION) : damaged();
  reader.each(checkValueType);
  reader.each(checkValueType);
}

function checkValueType(reader: ByteReader): void {
  const type = reader.byte();
  // Numbers and vectors, then references to functions and to things of the host.
  if ((type >= 0x7b && type <= 0x7f) || type === 0x70 || type === 0x6f) return;
  throw unsupported(type === 0x69 || type === 0x74 ? EXCEPTIONS : GARBAGE_COLLECTION);
}

function checkImport(reader: ByteReader): void {
  checkName(reader.name());
  checkName(reader.name());
  const kind = reader.byte();
  if (kind === 0) reader.unsigned();
  else if (kind === 1) checkTable(reader);
  else if (kind === 2) checkLimits(reader);
  else if (kind === 3) checkGlobalType(reader);
  else throw kind === 4 ? unsupported(EXCEPTIONS) : damaged();
}

function checkExport(reader: ByteReader): void {
  checkName(reader.name());
  reader.byte();
  reader.unsigned();
}

/** All characters in names that compilers make: no quotes, no backslash, no control characters. */
const PLAIN_NAME = /^[\w$.:/@#|<>=+\-[\](), ]*$/;

/** The bindgen copies names of core modules into JavaScript unescaped, so a quote in one could end a string there. */
function checkName(name: string): void {
  if (PLAIN_NAME.test(name)) return;
  throw new ComponentError(
    'wasm/unsafe-name',
    `The component holds a name that could be executed as code: ${JSON.stringify(name.slice(0, 100))}.`,
    'No compiler makes such names; do not trust this file.',
  );
}

function checkTable(reader: ByteReader): void {
  checkReferenceType(reader);
  checkLimits(reader);
}

function checkReferenceType(reader: ByteReader): void {
  const type = reader.byte();
  if (type !== 0x70 && type !== 0x6f) throw unsupported(GARBAGE_COLLECTION);
}

function checkLimits(reader: ByteReader): void {
  const flags = reader.byte();
  if ((flags & 0x02) !== 0) throw unsupported(`${THREADS} or shared memory`);
  if ((flags & 0x04) !== 0) throw unsupported('64-bit memory');
  if (flags > 1) throw unsupported('memory with pages of another size');
  reader.unsigned();
  if (flags === 1) reader.unsigned();
}

function checkGlobalType(reader: ByteReader): void {
  checkValueType(reader);
  if (reader.byte() > 1) throw unsupported(`${THREADS} or shared memory`);
}

function checkGlobal(reader: ByteReader): void {
  checkGlobalType(reader);
  checkConstant(reader);
}

function checkElements(reader: ByteReader): void {
  const flags = reader.unsigned();
  if (flags > 7) throw damaged();
  const hasTable = (flags & 2) !== 0;
  const isActive = (flags & 1) === 0;
  const areExpressions = (flags & 4) !== 0;
  if (isActive && hasTable) reader.unsigned();
  if (isActive) checkConstant(reader);
  if ((flags & 3) !== 0) {
    if (areExpressions) checkReferenceType(reader);
    else if (reader.byte() !== 0x00) throw damaged();
  }
  reader.each(areExpressions ? checkConstant : skipIndex);
}

function checkData(reader: ByteReader): void {
  const flags = reader.unsigned();
  if (flags > 2) throw damaged();
  if (flags === 2) reader.unsigned();
  if (flags !== 1) checkConstant(reader);
  reader.skip(reader.unsigned());
}

function skipIndex(reader: ByteReader): void {
  reader.unsigned();
}

const END = 0x0b;
export const TAIL_CALL = 0x12;
export const INDIRECT_TAIL_CALL = 0x13;

/** An expression that is evaluated at the start: instructions without blocks up to the first end. */
function checkConstant(reader: ByteReader): void {
  for (let opcode = reader.byte(); opcode !== END; opcode = reader.byte()) {
    if (opcode >= 0x02 && opcode <= 0x05) throw damaged();
    checkInstruction(reader, opcode);
  }
}

function checkFunction(reader: ByteReader): void {
  const body = reader.part(reader.unsigned());
  checkLocals(body);
  let opcode = 0;
  while (!body.isDone) {
    opcode = body.byte();
    checkInstruction(body, opcode);
  }
  if (opcode !== END) throw damaged();
}

export function checkLocals(body: ByteReader): void {
  body.each((local) => {
    local.unsigned();
    checkValueType(local);
  });
}

/** Reads what follows an opcode. */
export function checkInstruction(reader: ByteReader, opcode: number): void {
  const read = OPERANDS[opcode];
  if (!read) throw newFeature(opcode);
  read(reader);
}

const skipTwo = (reader: ByteReader) => {
  skipIndex(reader);
  skipIndex(reader);
};

/** Readers of the operands, by range of opcodes. */
const OPERAND_RANGES: readonly [from: number, to: number, read: (reader: ByteReader) => void][] = [
  [0x00, 0x01, () => {}], // unreachable, nop
  [0x02, 0x04, checkBlockType], // block, loop, if
  [0x05, 0x05, () => {}], // else
  [END, END, () => {}],
  [0x0c, 0x0d, skipIndex], // br, br_if
  [0x0e, 0x0e, checkBranches], // br_table
  [0x0f, 0x0f, () => {}], // return
  [0x10, 0x10, skipIndex], // call
  [0x11, 0x11, skipTwo], // call_indirect
  [TAIL_CALL, TAIL_CALL, skipIndex],
  [INDIRECT_TAIL_CALL, INDIRECT_TAIL_CALL, skipTwo],
  [0x1a, 0x1b, () => {}], // drop, select
  [0x1c, 0x1c, (reader) => reader.each(checkValueType)], // select of a type
  [0x20, 0x26, skipIndex], // variables and tables
  [0x28, 0x3e, checkMemoryArgument], // load and store
  [0x3f, 0x40, skipIndex], // memory.size, memory.grow
  [0x41, 0x41, (reader) => reader.skipNumber(32)],
  [0x42, 0x42, (reader) => reader.skipNumber(64)],
  [0x43, 0x43, (reader) => reader.skip(4)],
  [0x44, 0x44, (reader) => reader.skip(8)],
  [0x45, 0xc4, () => {}], // arithmetic
  [0xd0, 0xd0, checkReferenceType], // ref.null
  [0xd1, 0xd1, () => {}], // ref.is_null
  [0xd2, 0xd2, skipIndex], // ref.func
  [0xfc, 0xfc, checkBulk],
  [0xfd, 0xfd, checkVector],
];
/** By opcode. */
const OPERANDS = Array.from(
  { length: 256 },
  (_, opcode) => OPERAND_RANGES.find(([from, to]) => from <= opcode && opcode <= to)?.[2],
);

function newFeature(opcode: number): Error {
  if ((opcode >= 0x06 && opcode <= 0x0a) || opcode === 0x18 || opcode === 0x19 || opcode === 0x1f) {
    return unsupported(EXCEPTIONS);
  }
  if (opcode === 0xfb || opcode === 0x14 || opcode === 0x15 || (opcode >= 0xd3 && opcode <= 0xd6)) {
    return unsupported(GARBAGE_COLLECTION);
  }
  if (opcode === 0xfe) return unsupported(THREADS);
  if (opcode >= 0xe0 && opcode <= 0xe6) return unsupported(STACK_SWITCHING);
  return unsupported('an instruction that WebAssembly 2.0 does not have');
}

function checkBlockType(reader: ByteReader): void {
  const first = reader.byte();
  if (first === 0x40) return;
  reader.at -= 1;
  // A single byte with this bit is a type, anything else the number of one.
  if ((first & 0xc0) === 0x40) checkValueType(reader);
  else reader.skipNumber(33);
}

function checkBranches(reader: ByteReader): void {
  reader.each(skipIndex);
  skipIndex(reader);
}

function checkMemoryArgument(reader: ByteReader): void {
  const alignment = reader.unsigned();
  // With this bit the number of a memory follows.
  if ((alignment & 0x40) !== 0) reader.unsigned();
  reader.unsigned();
}

/** The second part of an opcode. Compilers write it in as few bytes as it needs. */
function secondOpcode(reader: ByteReader): number {
  const start = reader.at;
  const opcode = reader.unsigned();
  if (reader.at - start !== (opcode < 128 ? 1 : 2)) throw unsupported('opcodes in an unusual form');
  return opcode;
}

/** How many numbers follow: of memories, tables, data or elements. */
const BULK_NUMBERS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

function checkBulk(reader: ByteReader): void {
  const numbers = BULK_NUMBERS[secondOpcode(reader)];
  if (numbers === undefined) throw unsupported('an instruction that WebAssembly 2.0 does not have');
  for (let left = numbers; left > 0; left--) skipIndex(reader);
}

const LAST_VECTOR_OPCODE = 0x113;

function checkVector(reader: ByteReader): void {
  const opcode = secondOpcode(reader);
  if (opcode > LAST_VECTOR_OPCODE) throw unsupported('an instruction that WebAssembly 2.0 does not have');
  const isLane = opcode >= 0x54 && opcode <= 0x5b;
  if (opcode <= 0x0b || opcode === 0x5c || opcode === 0x5d || isLane) checkMemoryArgument(reader);
  if (opcode === 0x0c || opcode === 0x0d) reader.skip(16);
  if ((opcode >= 0x15 && opcode <= 0x22) || isLane) reader.skip(1);
}
