import { Fault } from '../../base/fault.ts';
import type { GitContent, GitFile } from '../../domain/references/sources/git-reader.ts';
import type { RunGit } from './run-git.ts';

export interface BlobStore {
  readonly git: RunGit;
  readonly directory: string;
  readonly timeoutMs: number;
}

/** Sizes by object id; blobs that are not in the repository are left out. */
export async function blobSizes(
  { git, directory, timeoutMs }: BlobStore,
  oids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await git(
    {
      args: ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'],
      directory,
      input: oidLines(oids),
      timeoutMs,
      stdoutBytes: (oids.size + 1) * 128,
    },
    signal,
  );
  const sizes = new Map<string, number>();
  for (const line of stdout.split('\n')) {
    const [oid = '', type, size] = line.split(' ');
    if (type === 'blob' && oids.has(oid)) sizes.set(oid, Number(size));
  }
  return sizes;
}

export function oidLines(oids: Iterable<string>): string {
  return `${[...oids].join('\n')}\n`;
}

/** Yields contents in the order of `files`, reading a few megabytes at a time. */
export async function* readBlobs(
  store: BlobStore,
  {
    files,
    sizes,
    maxFileBytes,
  }: { files: readonly GitFile[]; sizes: ReadonlyMap<string, number>; maxFileBytes: number },
  signal: AbortSignal,
): AsyncGenerator<GitContent> {
  for (const batch of batches(files, (file) => memorySize(sizes, file, maxFileBytes))) {
    const wanted = batch.filter((file) => sizeOf(sizes, file) <= maxFileBytes);
    const contents = await readBatch(store, new Set(wanted.map(({ oid }) => oid)), sizes, signal);
    for (const file of batch) {
      yield { file, sizeBytes: sizeOf(sizes, file), bytes: contents.get(file.oid) };
    }
  }
}

const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_FILES = 2000;

function* batches(
  files: readonly GitFile[],
  memoryBytes: (file: GitFile) => number,
): Generator<readonly GitFile[]> {
  let batch: GitFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const size = memoryBytes(file);
    if (batch.length > 0 && (bytes + size > BATCH_BYTES || batch.length === BATCH_FILES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function memorySize(sizes: ReadonlyMap<string, number>, file: GitFile, maxFileBytes: number): number {
  const size = sizeOf(sizes, file);
  return size > maxFileBytes ? 0 : size;
}

function sizeOf(sizes: ReadonlyMap<string, number>, { oid, path }: GitFile): number {
  const size = sizes.get(oid);
  if (size !== undefined) return size;
  throw new Fault('git/failed', `The content of ${JSON.stringify(path)} was not sent.`, {
    hint: 'Try again.',
  });
}

/** Output of `cat-file --batch`: `<oid> blob <size>\n<bytes>\n`, in the order of the input. */
async function readBatch(
  { git, directory, timeoutMs }: BlobStore,
  oids: ReadonlySet<string>,
  sizes: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  if (oids.size === 0) return contents;
  const total = [...oids].reduce((sum, oid) => sum + (sizes.get(oid) ?? 0) + 128, 0);
  const { stdoutRaw } = await git(
    { args: ['cat-file', '--batch'], directory, input: oidLines(oids), timeoutMs, stdoutBytes: total },
    signal,
  );
  let at = 0;
  for (const oid of oids) {
    const start = stdoutRaw.indexOf(NEWLINE, at) + 1;
    const end = start + (sizes.get(oid) ?? 0);
    if (start === 0 || end > stdoutRaw.length)
      throw new Fault('git/failed', `The object ${oid} cannot be read.`);
    contents.set(oid, stdoutRaw.subarray(start, end));
    at = end + 1;
  }
  return contents;
}

const NEWLINE = 10;
