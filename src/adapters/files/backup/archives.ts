/** Backup archives on disk: tar in gzip. */

import { createReadStream } from 'node:fs';
import { appendFile, type FileHandle, link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import { Fault } from '../../../base/fault.ts';
import type { StreamHasher } from '../../../base/hasher.ts';
import { memberOf, parseJson } from '../../../base/json.ts';
import type { ArchiveEntry, Archives, ArchiveWriter, OpenFile } from '../../../domain/backup/backup-files.ts';
import { readIfPossible, removeAbandoned } from '../../paths/change-directory.ts';
import { inDirectory } from '../../paths/open-path.ts';
import { realPath } from '../../paths/real-path.ts';
import { syncDirectory, temporaryBeside } from '../atomic-write.ts';
import { isSystemError, writing } from '../file-fault.ts';
import { BLOCK, damaged, padding, parseHeader, parsePax, TAR_END, tarHeader } from './tar.ts';

/** `record` is a file with the path of every archive that was written, one JSON object a line. */
export function archivesOnDisk(hasher: StreamHasher, record: string): Archives {
  return {
    create: (file) =>
      writing(file, async () => {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        // A killed backup may have left its temporary file beside the one that it had finished.
        inDirectory(realPath(path.dirname(file)), removeAbandoned);
        await refuseTaken(file);
        return writeArchive(file, hasher, async (temporary) => {
          await note(record, { path: file });
          await nameIt(temporary, file);
        });
      }),
    replace: (file) =>
      writing(file, () => writeArchive(file, hasher, (temporary) => rename(temporary, file))),
    recorded: async () => recordedPaths(record),
    read: async (file, signal) => entriesOf(file, signal),
    remove: (file) =>
      writing(file, async () => {
        await rm(file, { force: true });
        await note(record, { path: file, removed: true });
      }),
    async list(directory) {
      try {
        return (await readdir(directory)).sort();
      } catch (error) {
        if (isSystemError(error) && error.code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}

/** Readable by its owner alone: it holds private conversations. */
async function writeArchive(
  file: string,
  hasher: StreamHasher,
  publish: (temporary: string) => Promise<void>,
): Promise<ArchiveWriter> {
  const temporary = temporaryBeside(file);
  inDirectory(realPath(path.dirname(file)), removeAbandoned);
  const handle = await open(temporary, 'wx', 0o600);
  const gzip = createGzip({ level: 6 });
  const copied = copyTo(handle, gzip);
  // The next write or `finish` reports it; until then it must not end the process.
  copied.catch((error) => gzip.destroy(error));
  let isDone = false;
  const end = async () => {
    if (isDone) return;
    isDone = true;
    gzip.destroy();
    await copied.catch(() => {});
    await handle.close();
    await rm(temporary, { force: true });
  };
  return {
    add: (name, opened) => writing(file, () => addFile(gzip, name, opened, hasher)),
    finish: () =>
      writing(file, async () => {
        gzip.end(TAR_END);
        await copied;
        await handle.sync();
        await publish(temporary);
        await syncDirectory(path.dirname(file));
        await end();
      }),
    discard: end,
  };
}

async function note(record: string, line: object): Promise<void> {
  await mkdir(path.dirname(record), { recursive: true, mode: 0o700 });
  await appendFile(record, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
}

async function recordedPaths(record: string) {
  const text = readIfPossible(record)?.toString() ?? '';
  const paths = new Set<string>();
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    const file = memberOf(value, 'path');
    if (typeof file !== 'string') continue;
    if (memberOf(value, 'removed') === true) paths.delete(file);
    else paths.add(file);
  }
  return Promise.all(
    [...paths].map(async (file) => ({
      path: file,
      isThere: (await lstat(file).catch(() => undefined)) !== undefined,
    })),
  );
}

async function refuseTaken(file: string): Promise<void> {
  if (!(await lstat(file).catch(() => undefined))) return;
  throw new Fault('files/exists', `${file} exists already.`, {
    hint: 'Name a file that does not exist yet.',
  });
}

async function copyTo(handle: FileHandle, gzip: Gzip): Promise<void> {
  for await (const chunk of gzip) await handle.writeFile(chunk);
}

/** A hard link never overwrites; a file system without links gets the rename. */
async function nameIt(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') await refuseTaken(file);
    await rename(temporary, file);
  }
}

async function addFile(gzip: Gzip, name: string, opened: OpenFile, hasher: StreamHasher): Promise<string> {
  const { bytes, modifiedAt, content } = opened;
  const hash = hasher.running();
  await put(gzip, tarHeader({ path: name, bytes, modifiedAt }));
  for await (const chunk of content) {
    hash.update(chunk);
    await put(gzip, chunk);
  }
  await put(gzip, Buffer.alloc(padding(bytes)));
  return hash.digest();
}

function put(gzip: Gzip, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

async function* entriesOf(file: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file, { signal });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* readTar(new Blocks(source.pipe(gunzip)));
  } catch (error) {
    throw signal.aborted ? signal.reason : readFault(file, error);
  } finally {
    source.destroy();
    gunzip.destroy();
    await finished(source).catch(() => {});
  }
}

function readFault(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault || !('code' in error)) return error;
  const { code, errno = 0 } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new Fault('files/not-found', `There is no file ${file}.`, {
      hint: '"ken backup --list" shows the backups that ken made.',
      cause: error,
    });
  if (code === 'ABORT_ERR') return error;
  return isSystemError(error) && !code?.startsWith('Z_')
    ? new Fault('files/unreadable', `Cannot read ${file}: ${getSystemErrorMessage(errno)}.`, { cause: error })
    : damaged('it is not a gzip file, or ends too early');
}

/** Extended headers are small; a larger one is not of ken. */
const MOST_PAX_BYTES = 64 * 1024;

async function* readTar(blocks: Blocks): AsyncGenerator<ArchiveEntry> {
  for (;;) {
    let header = parseHeader(await blocks.take(BLOCK));
    if (header.kind === 'end') return;
    let extra: ReturnType<typeof parsePax> = {};
    if (header.kind === 'pax') {
      if (header.bytes > MOST_PAX_BYTES) throw damaged('a header of it is too long');
      extra = parsePax(await blocks.take(header.bytes));
      await blocks.take(padding(header.bytes));
      header = parseHeader(await blocks.take(BLOCK));
      if (header.kind !== 'file') throw damaged('a header of it is damaged');
    }
    const bytes = extra.bytes ?? header.bytes;
    const content = blocks.pieces(bytes);
    yield {
      path: extra.path ?? header.name,
      modifiedAt: extra.modifiedAt ?? header.modifiedAt,
      bytes,
      content,
    };
    for await (const _ of content);
    await blocks.take(padding(bytes));
  }
}

/** Bytes of a stream, taken in the amounts that tar needs. */
class Blocks {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(bytes)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Exactly `bytes` bytes. What is not read is read by the next loop over it. */
  pieces(bytes: number): AsyncIterable<Buffer> {
    let left = bytes;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (left === 0) return { done: true, value: undefined };
      if (this.#rest.length === 0) {
        const read = await this.#source.next();
        if (read.done) throw damaged('its end is missing');
        this.#rest = read.value;
      }
      const value = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(value.length);
      left -= value.length;
      return { done: false, value };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}
