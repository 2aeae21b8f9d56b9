/**
 * Reads each document in a process of its own: without the operator's environment, without the right to open files or
 * to start programs, and with limits on time and memory. Texts are kept in the cache by the digest of their document.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInBinary, packageFile, scriptFile } from '../../base/package-files.ts';
import { type DocumentFormat, MAX_DOCUMENT_BYTES } from '../../base/text.ts';
import type { DocumentReader, DocumentText } from '../../domain/chunks/document-text.ts';
import { readIfPossible } from '../paths/change-directory.ts';

export interface ReaderInput {
  /** Readable by the operator alone. A text that cannot be cached is extracted again. */
  readonly cacheDirectory: string;
  readonly timeoutMs?: number;
}

/** A synchronous `DocumentReader`. */
export type ReadDocument = (format: DocumentFormat, bytes: Uint8Array) => DocumentText;

export function documentReader(input: ReaderInput): DocumentReader {
  const read = readDocuments(input);
  return { read: async ({ format, bytes }) => read(format, bytes) };
}

export function readDocuments({ cacheDirectory, timeoutMs = TIMEOUT_MS }: ReaderInput): ReadDocument {
  return (format, bytes) => {
    if (bytes.length > MAX_DOCUMENT_BYTES) return { ok: false, problem: TOO_LARGE };
    const digest = createHash('sha256').update(bytes).digest('hex');
    const file = path.join(cacheDirectory, `${digest}-${format}-${EXTRACTION}`);
    const kept = readKept(file);
    if (kept) return kept;
    const read = extract(format, bytes, timeoutMs);
    keep(file, read);
    return read.text;
  };
}

/** Increases when an extractor's output changes. */
const EXTRACTION = 2;
const TIMEOUT_MS = 20_000;
const TOO_LARGE = `it is larger than ${MAX_DOCUMENT_BYTES / 1024 ** 2} MiB`;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Kibibytes of data, and seconds of the processor: `ulimit -d` also counts buffers, which V8's own limit does not. */
const LIMITS = 'ulimit -d 1400000; ulimit -t 60; ulimit -c 0; exec "$0" "$@"';

const runner = scriptFile({
  source: 'adapters/documents/extract/extract-runner.ts',
  built: 'documents/extract-runner.mjs',
});

interface Extraction {
  readonly text: DocumentText;
  /** False when another attempt on a less busy machine may succeed. */
  readonly isLasting: boolean;
}

function extract(format: DocumentFormat, bytes: Uint8Array, timeoutMs: number): Extraction {
  const { words, environment } = confinedRunner();
  const ended = spawnSync('/bin/sh', ['-c', LIMITS, process.execPath, ...words, format], {
    input: bytes,
    env: environment,
    cwd: '/',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (ended.status === 0) {
    const text = parsed(ended.stdout.toString('utf8'));
    if (text) return { text, isLasting: true };
  }
  const isLate = ended.error !== undefined && 'code' in ended.error && ended.error.code === 'ETIMEDOUT';
  const problem = isLate
    ? `reading it takes longer than ${timeoutMs / 1000} s`
    : 'it cannot be read within the limits';
  return { text: { ok: false, problem }, isLasting: false };
}

const FLAGS = ['--permission', '--max-old-space-size=512', '--no-warnings'];

/** The stand-alone binary runs a part of itself, which takes its flags from this variable and reads no file. */
function confinedRunner() {
  if (isInBinary)
    return { words: ['--run-part', 'extract-runner'], environment: { NODE_OPTIONS: FLAGS.join(' ') } };
  const script = fileURLToPath(runner);
  const readable = script.endsWith('.ts') ? fileURLToPath(packageFile('.')) : path.dirname(script);
  return { words: [...FLAGS, `--allow-fs-read=${readable}`, script], environment: {} };
}

function parsed(json: string): DocumentText | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || !('ok' in value)) return undefined;
    if (value.ok === true && 'text' in value && typeof value.text === 'string')
      return { ok: true, text: value.text };
    if (value.ok === false && 'problem' in value && typeof value.problem === 'string')
      return { ok: false, problem: value.problem };
  } catch {
    // The cached file is incomplete.
  }
  return undefined;
}

/** The time before a document that exceeded the limits is tried again. */
const RETRY_AFTER_MS = 24 * 3_600_000;

function readKept(file: string): DocumentText | undefined {
  try {
    const [, kind, rest = ''] =
      /^(text|problem|limits)\n([\s\S]*)\nend$/.exec(readIfPossible(file)?.toString() ?? '') ?? [];
    if (kind === undefined) return undefined;
    if (kind === 'text') return { ok: true, text: rest };
    if (kind === 'limits' && Date.now() - statSync(file).mtimeMs > RETRY_AFTER_MS) return undefined;
    return { ok: false, problem: rest };
  } catch {
    return undefined;
  }
}

const MOST_KEPT = 2_000;

function keep(file: string, { text, isLasting }: Extraction): void {
  const directory = path.dirname(file);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // One that is cut short has no last line, and is written again. Erasing finds its text, so it is not encoded.
    const content = text.ok ? `text\n${text.text}` : `${isLasting ? 'problem' : 'limits'}\n${text.problem}`;
    writeFileSync(file, `${content}\nend`, { mode: 0o600 });
    dropOldest(directory);
  } catch {
    // Without a cache, the next reading takes as long as this one.
  }
}

function dropOldest(directory: string): void {
  const files = readdirSync(directory);
  if (files.length <= MOST_KEPT) return;
  const byAge = files
    .map((name) => path.join(directory, name))
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.at - b.at);
  for (const { file } of byAge.slice(0, MOST_KEPT / 2)) rmSync(file, { force: true });
}
