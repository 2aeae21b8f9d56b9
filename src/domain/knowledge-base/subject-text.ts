/** Reads a subject's text (UTF-8 only, no byte-order mark, cut at a limit) and formats it for a prompt. */

import { inertText, quoted, withVisibleControls } from './inert-text.ts';
import { extensionOf } from './slugs.ts';
import type { SubjectFiles } from './subject-files.ts';

export type SubjectText =
  | {
      readonly ok: true;
      readonly text: string;
      readonly shownBytes: number;
      /** Size of the whole file; more than `shownBytes` when the text was cut. */
      readonly sizeBytes: number;
    }
  | { readonly ok: false; readonly problem: TextProblem; readonly why?: string };

export type TextProblem = 'binary' | 'not-utf8' | 'unreadable';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** A zero byte among the first bytes means a binary file. */
const BINARY_PROBE_BYTES = 8192;

export function readSubjectText(files: SubjectFiles, path: string, maxBytes: number): SubjectText {
  const read = files.read(path, Math.max(maxBytes, BINARY_PROBE_BYTES));
  if (!read.ok) return { ok: false, problem: 'unreadable', ...(read.problem && { why: read.problem }) };
  const zero = read.bytes.indexOf(0);
  if (zero !== -1 && zero < BINARY_PROBE_BYTES) return { ok: false, problem: 'binary' };
  const isCut = read.size > maxBytes;
  const bytes = isCut ? wholeCharacters(read.bytes.subarray(0, maxBytes)) : read.bytes;
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, problem: 'not-utf8' };
  return { ok: true, text, shownBytes: bytes.length, sizeBytes: isCut ? read.size : bytes.length };
}

/** Why the bytes cannot be a subject; undefined when they can. */
export function textProblem(bytes: Uint8Array): TextProblem | undefined {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return 'binary';
  return decodeUtf8(bytes) === undefined ? 'not-utf8' : undefined;
}

function cutLine(shownBytes: number, sizeBytes: number): string {
  return `(cut: the first ${shownBytes} of ${sizeBytes} bytes are shown)`;
}

/** A part of a sentence, as in `it is a binary file`. */
export function describeTextProblem({ problem, why }: { problem: TextProblem; why?: string }): string {
  return why ?? DESCRIPTIONS[problem];
}

const DESCRIPTIONS: Readonly<Record<TextProblem, string>> = {
  binary: 'it is a binary file',
  'not-utf8': 'it is not valid UTF-8',
  unreadable: 'it cannot be read',
};

/** Drops a character that the cut divided. */
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

export type ReadableText = Extract<SubjectText, { ok: true }>;

/** For a subject outside of any tag: only makes control characters visible. */
export function rawSubject(path: string, read: ReadableText): string {
  return formatted(path, read, withVisibleControls(read.text));
}

/** `<subject "slug">` … `</subject>` around a text that cannot close it. */
export function taggedSubject({ slug, path }: { slug: string; path: string }, read: ReadableText): string {
  return `<subject ${quoted(slug)}>\n${ended(formatted(path, read, inertText(read.text)))}</subject>`;
}

function formatted(path: string, { shownBytes, sizeBytes }: ReadableText, shown: string): string {
  const language = fenceLanguage(extensionOf(path));
  const presented = language === undefined ? shown : fenced(shown, language);
  return sizeBytes > shownBytes ? `${ended(presented)}${cutLine(shownBytes, sizeBytes)}` : presented;
}

/** The text of a document is Markdown. */
const PROSE = new Set(['', 'md', 'txt', 'text', 'pdf', 'docx', 'epub', 'ipynb']);
const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'javascript',
  py: 'python',
  rs: 'rust',
  ts: 'typescript',
  yml: 'yaml',
};

/** Undefined for prose. An extension that a fence cannot carry gives an empty language. */
function fenceLanguage(extension: string): string | undefined {
  const known = extension.toLowerCase();
  if (PROSE.has(known)) return undefined;
  if (Object.hasOwn(LANGUAGES, known)) return LANGUAGES[known];
  return /^[\w+#-]+$/.test(known) ? known : '';
}

function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${language}\n${ended(text)}${fence}`;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
