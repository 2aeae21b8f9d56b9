/** Writes memory and table limits into the core modules of a component, so that the engine enforces them. */

import { ComponentError } from './component-error.ts';
import { unsupported } from './types/byte-reader.ts';

export interface CoreLimits {
  /** For all memories of all modules together. */
  readonly memoryPages: number;
}

const PAGE_BYTES = 65_536;
/** The limit for all tables together, which do not count as memory. */
const MOST_TABLE_ENTRIES = 1_000_000;

const TABLE_SECTION = 4;
const MEMORY_SECTION = 5;

interface Section {
  readonly id: number;
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

interface Limits {
  readonly minimum: bigint;
  readonly maximum: bigint | undefined;
  /** The bytes before the limits: for a table, the type of its entries. */
  readonly prefix: readonly number[];
}

export function pagesOf(mebibytes: number): number {
  return Math.floor((mebibytes * 1024 ** 2) / PAGE_BYTES);
}

export interface CoreModule {
  readonly bytes: Uint8Array;
}

/** A module with its limits written in, and the most that one instance can use. */
export interface BoundedModule extends CoreModule {
  readonly memoryPages: number;
  readonly tableEntries: number;
}

/** Returns the modules in the same order. Modules that have limits can get lower ones, never higher ones. */
export function limitCoreModules<Module extends CoreModule>(
  modules: readonly Module[],
  limits: CoreLimits,
): (Module & BoundedModule)[] {
  const read = modules.map((module) => ({ module, needs: readNeeds(module.bytes) }));
  const memory = shares(
    read.flatMap(({ needs }) => needs.memories),
    limits.memoryPages,
    'memory',
  );
  const table = shares(
    read.flatMap(({ needs }) => needs.tables),
    MOST_TABLE_ENTRIES,
    'table entries',
  );
  return read.map(({ module, needs }) => ({
    ...module,
    bytes: rewrite(module.bytes, { memory, table }),
    memoryPages: total(needs.memories.map(memory)),
    tableEntries: total(needs.tables.map(table)),
  }));
}

type Share = (limits: Limits) => bigint;

function total(numbers: readonly bigint[]): number {
  return Number(numbers.reduce((sum, number) => sum + number, 0n));
}

/** Gives each entry its minimum and a part of the rest in proportion to its minimum. */
function shares(all: readonly Limits[], available: number, what: 'memory' | 'table entries'): Share {
  const needed = all.reduce((sum, { minimum }) => sum + minimum, 0n);
  if (needed > BigInt(available)) {
    throw new ComponentError(
      'wasm/too-large',
      `The component wants more ${what} at its start than it may have.`,
      what === 'memory' ? 'Raise tools.wasm.memory_mib, or build it with less initial memory.' : undefined,
    );
  }
  const spare = BigInt(available) - needed;
  const weight = needed + BigInt(all.length);
  return ({ minimum, maximum }) => {
    const most = minimum + (spare * (minimum + 1n)) / weight;
    return maximum !== undefined && maximum < most ? maximum : most;
  };
}

function readNeeds(bytes: Uint8Array) {
  const memories: Limits[] = [];
  const tables: Limits[] = [];
  for (const section of sections(bytes)) {
    if (section.id === MEMORY_SECTION) memories.push(...readEntries(bytes, section, readLimits));
    if (section.id === TABLE_SECTION) tables.push(...readEntries(bytes, section, readTable));
  }
  return { memories, tables };
}

function rewrite(bytes: Uint8Array, maximum: { readonly memory: Share; readonly table: Share }): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  for (const section of sections(bytes)) {
    const kind =
      section.id === MEMORY_SECTION ? 'memory' : section.id === TABLE_SECTION ? 'table' : undefined;
    if (kind === undefined) {
      parts.push(bytes.subarray(section.start, section.end));
      continue;
    }
    const entries = readEntries(bytes, section, kind === 'memory' ? readLimits : readTable);
    const content = entries.flatMap((entry) => writeLimits(entry, maximum[kind](entry)));
    const body = [...unsigned(BigInt(entries.length)), ...content];
    parts.push(Uint8Array.from([section.id, ...unsigned(BigInt(body.length)), ...body]));
  }
  return Buffer.concat(parts);
}

function* sections(bytes: Uint8Array): Generator<Section> {
  let at = 8;
  while (at < bytes.length) {
    const start = at;
    const id = bytes[at] ?? 0;
    const [size, content] = readUnsigned(bytes, at + 1);
    at = content + Number(size);
    if (at > bytes.length) throw malformed();
    yield { id, start, content, end: at };
  }
}

function readEntries(
  bytes: Uint8Array,
  section: Section,
  read: (bytes: Uint8Array, at: number) => [Limits, number],
): Limits[] {
  const entries: Limits[] = [];
  let [count, at] = readUnsigned(bytes, section.content);
  for (; count > 0n; count--) {
    const [entry, next] = read(bytes, at);
    entries.push(entry);
    at = next;
  }
  if (at !== section.end) throw malformed();
  return entries;
}

const HAS_MAXIMUM = 1;

function readLimits(bytes: Uint8Array, at: number): [Limits, number] {
  const flags = bytes[at] ?? 0;
  // Shared and 64-bit memories and other page sizes are not counted here, and no tool needs them.
  if ((flags & ~HAS_MAXIMUM) !== 0) throw unsupported('an unusual kind of memory or table');
  const [minimum, afterMinimum] = readUnsigned(bytes, at + 1);
  if ((flags & HAS_MAXIMUM) === 0) return [{ minimum, maximum: undefined, prefix: [] }, afterMinimum];
  const [maximum, next] = readUnsigned(bytes, afterMinimum);
  return [{ minimum, maximum, prefix: [] }, next];
}

const FUNCTION_REFERENCE = 0x70;
const EXTERNAL_REFERENCE = 0x6f;

function readTable(bytes: Uint8Array, at: number): [Limits, number] {
  const type = bytes[at] ?? 0;
  if (type !== FUNCTION_REFERENCE && type !== EXTERNAL_REFERENCE) throw unsupported('typed references');
  const [limits, next] = readLimits(bytes, at + 1);
  return [{ ...limits, prefix: [type] }, next];
}

function writeLimits({ prefix, minimum }: Limits, maximum: bigint): number[] {
  return [...prefix, HAS_MAXIMUM, ...unsigned(minimum), ...unsigned(maximum)];
}

/** Reads LEB128; returns the value and the offset after it. */
function readUnsigned(bytes: Uint8Array, start: number): [bigint, number] {
  let value = 0n;
  for (let at = start; at < start + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if ((byte & 0x80) === 0) return [value, at + 1];
  }
  throw malformed();
}

function unsigned(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return bytes;
}

function malformed(): ComponentError {
  return new ComponentError('wasm/malformed', 'The component holds a damaged module.');
}
