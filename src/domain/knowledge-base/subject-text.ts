/** A subject's file → its text: UTF-8 only, no byte-order mark, cut where it grows too long. */

import type { SubjectFiles } from './subject-files.ts';

export type SubjectText =
  | {
      readonly ok: true;
      readonly text: string;
      readonly shownBytes: number;
      /** Of the whole file; more than `shownBytes` when the text was cut. */
      readonly sizeBytes: number;
    }
  | { readonly ok: false; readonly problem: TextProblem };

export type TextProblem = 'binary' | 'not-utf8' | 'unreadable';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** Whoever looks for a zero byte looks at this many. */
const BINARY_PROBE_BYTES = 8192;

export function readSubjectText(files: SubjectFiles, path: string, maxBytes: number): SubjectText {
  const read = files.read(path, Math.max(maxBytes, BINARY_PROBE_BYTES));
  if (!read.ok) return { ok: false, problem: 'unreadable' };
  const zero = read.bytes.indexOf(0);
  if (zero !== -1 && zero < BINARY_PROBE_BYTES) return { ok: false, problem: 'binary' };
  const isCut = read.size > maxBytes;
  const bytes = isCut ? wholeCharacters(read.bytes.subarray(0, maxBytes)) : read.bytes;
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, problem: 'not-utf8' };
  return { ok: true, text, shownBytes: bytes.length, sizeBytes: isCut ? read.size : bytes.length };
}

/** What would keep these bytes from being a subject. */
export function textProblem(bytes: Uint8Array): TextProblem | undefined {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return 'binary';
  return decodeUtf8(bytes) === undefined ? 'not-utf8' : undefined;
}

/** The last line of a subject that was cut. */
export function cutLine(shownBytes: number, sizeBytes: number): string {
  return `(cut: the first ${shownBytes} of ${sizeBytes} bytes are shown)`;
}

export function describeTextProblem(problem: TextProblem): string {
  return DESCRIPTIONS[problem];
}

const DESCRIPTIONS: Readonly<Record<TextProblem, string>> = {
  binary: 'it is a binary file',
  'not-utf8': 'it is not valid UTF-8',
  unreadable: 'it cannot be read',
};

/** Without the character that the cut went through, if it did. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
  const isWhole = start < 0 || start + sequenceLength(bytes[start] ?? 0) <= bytes.length;
  return isWhole ? bytes : bytes.subarray(0, start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function sequenceLength(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Drops the byte-order mark. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
