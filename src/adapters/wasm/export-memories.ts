/** Exports every memory of a core module, so that all of them can be counted. */

import { ComponentError } from './component-error.ts';
import { unsignedBytes } from './types/byte-reader.ts';

/** A module may hide its memory, and an engine tells the size of exported memories only. */
export function exportMemories(bytes: Uint8Array): Uint8Array {
  const module = compiled(bytes);
  const imported = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'memory').length;
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const sections = sectionsOf(bytes);
  const memories = sections.find(({ id }) => id === MEMORY_SECTION);
  const count = memories ? readUnsigned(bytes, memories.content)[0] : 0;
  const entries = Array.from({ length: count }, (_, at) => exportEntry(freeName(names, at), imported + at));
  if (entries.length === 0) return bytes;
  const added = Buffer.concat(entries);
  const existing = sections.find(({ id }) => id === EXPORT_SECTION);
  if (existing) {
    const [known, at] = readUnsigned(bytes, existing.content);
    const content = [unsignedBytes(known + count), bytes.subarray(at, existing.end), added];
    return splice(bytes, existing, section(Buffer.concat(content)));
  }
  const start = sections.find(({ id }) => AFTER_EXPORTS.has(id))?.start ?? bytes.length;
  return splice(bytes, { start, end: start }, section(Buffer.concat([unsignedBytes(count), added])));
}

function compiled(bytes: Uint8Array): WebAssembly.Module {
  try {
    return new WebAssembly.Module(new Uint8Array(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComponentError('wasm/malformed', `The component cannot be compiled: ${reason.slice(0, 300)}`);
  }
}

const MEMORY_SECTION = 5;
const EXPORT_SECTION = 7;
/** Start, elements, code, data, count of data: their order in a module is fixed. */
const AFTER_EXPORTS = new Set([8, 9, 10, 11, 12]);
const MEMORY_KIND = 2;

interface Section {
  readonly id: number;
  /** Offset of the section's id. */
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/** The module was validated before. */
function sectionsOf(bytes: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let start = 8; start < bytes.length; ) {
    const [size, content] = readUnsigned(bytes, start + 1);
    sections.push({ id: bytes[start] ?? 0, start, content, end: content + size });
    start = content + size;
  }
  return sections;
}

function freeName(names: Set<string>, at: number): string {
  let name = `memory-${at}`;
  while (names.has(name)) name = `${name}-`;
  names.add(name);
  return name;
}

function exportEntry(name: string, index: number): Buffer {
  return Buffer.concat([
    unsignedBytes(name.length),
    Buffer.from(name),
    Buffer.of(MEMORY_KIND),
    unsignedBytes(index),
  ]);
}

function section(content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(EXPORT_SECTION), unsignedBytes(content.length), content]);
}

function splice(
  bytes: Uint8Array,
  { start, end }: Pick<Section, 'start' | 'end'>,
  put: Uint8Array,
): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(end)]);
}

/** Reads LEB128; returns the value and the offset after it. */
function readUnsigned(bytes: Uint8Array, start: number): [number, number] {
  let value = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if ((byte & 0x80) === 0) return [value, at + 1];
  }
}
