/** The lines of an export, which may be larger than memory: only where each line stands is kept. */

import { Fault } from '../../../base/fault.ts';
import { type Json, memberOf, parseJson } from '../../../base/json.ts';
import { EXPORT_HEAD } from './exported-entry.ts';

/** Bytes that are in memory, or read when they are asked for. */
export interface Content {
  readonly length: number;
  subarray(start: number, end: number): Uint8Array;
}

export interface ExportLine {
  readonly number: number;
  readonly size: number;
  /** `null` when the line is not JSON. */
  json(): Json;
}

export interface ExportLines {
  readonly count: number;
  at(index: number): ExportLine;
}

/** Leaves out the head and empty lines. Throws a Fault when the file is not an export. */
export function exportLines(content: Content): ExportLines {
  const lines = linesOf(content);
  const head = lines.count === 0 ? null : lines.at(0).json();
  if (memberOf(head, 'format') !== EXPORT_HEAD.format) {
    throw new Fault('ledger/invalid', 'This is not an export of a ledger.', {
      hint: '"ken knowledge export" writes one; "ken knowledge audit --from" looks at other collections.',
    });
  }
  if (memberOf(head, 'version') !== EXPORT_HEAD.version)
    throw new Fault('ledger/invalid', 'This was exported by a newer ken.', { hint: 'Update ken.' });
  return { count: lines.count - 1, at: (index) => lines.at(index + 1) };
}

/** Longer ones count as no JSON. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;

function linesOf(content: Content): ExportLines {
  const [starts, sizes, numbers]: [number[], number[], number[]] = [[], [], []];
  let number = 0;
  for (const { start, end, isBlank } of spansOf(content)) {
    number += 1;
    if (isBlank) continue;
    starts.push(start);
    sizes.push(end - start);
    numbers.push(number);
  }
  return {
    count: starts.length,
    at(index) {
      const [start = 0, size = 0] = [starts[index], sizes[index]];
      const json = () => (size > MOST_LINE_BYTES ? null : jsonOf(content.subarray(start, start + size)));
      return { number: numbers[index] ?? 0, size, json };
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isBlank: boolean;
}

const NEWLINE = 0x0a;
const BLOCK = 1024 * 1024;

function* spansOf(content: Content): Generator<Span> {
  let [start, isBlank] = [0, true];
  for (let from = 0; from < content.length; from += BLOCK) {
    const block = content.subarray(from, Math.min(from + BLOCK, content.length));
    for (let at = 0; at < block.length; ) {
      const newline = block.indexOf(NEWLINE, at);
      const end = newline === -1 ? block.length : newline;
      isBlank &&= block.subarray(at, end).every(isSpace);
      at = end + 1;
      if (newline === -1) continue;
      yield { start, end: from + end, isBlank };
      [start, isBlank] = [from + at, true];
    }
  }
  if (start < content.length) yield { start, end: content.length, isBlank };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function jsonOf(bytes: Uint8Array): Json {
  return parseJson(new TextDecoder().decode(bytes)) ?? null;
}
