/** An open regular file of a guest. */

import { fdatasync, fstatSync, fsync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { asFileError, attempt, FileError } from '../wire/error.ts';
import type { Handle, Usage } from './guest-files.ts';

const toDisk = { data: promisify(fdatasync), all: promisify(fsync) };

export class OpenFile {
  readonly handle: Handle;
  readonly guestPath: string;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly #usage: Usage;

  constructor(
    usage: Usage,
    opened: { handle: Handle; guestPath: string; canRead: boolean; canWrite: boolean },
  ) {
    this.#usage = usage;
    this.handle = opened.handle;
    this.guestPath = opened.guestPath;
    this.canRead = opened.canRead;
    this.canWrite = opened.canWrite;
  }

  /** May return fewer bytes than requested; returns none at the end of the file. */
  read(length: number, offset: bigint): Uint8Array {
    if (!this.canRead) throw new FileError('bad-descriptor');
    const buffer = new Uint8Array(length);
    const count = attempt(() => readSync(this.handle.fd, buffer, 0, buffer.length, requireOffset(offset)));
    this.#usage.hasRead(this.guestPath, count);
    return buffer.subarray(0, count);
  }

  write(bytes: Uint8Array, offset: bigint): number {
    this.requireWritable();
    this.#usage.allowWrite(bytes.length);
    this.#allowSize(offset + BigInt(bytes.length));
    const count = attempt(() => writeSync(this.handle.fd, bytes, 0, bytes.length, Number(offset)));
    this.#usage.hasWritten(this.guestPath, count);
    return count;
  }

  /** Writes at the end of the file. */
  append(bytes: Uint8Array): number {
    this.requireWritable();
    return this.write(bytes, this.#size());
  }

  setSize(size: bigint): void {
    this.requireWritable();
    this.#allowSize(size);
    attempt(() => ftruncateSync(this.handle.fd, Number(size)));
    this.#usage.hasWritten(this.guestPath, 0);
  }

  /** The disk may take seconds, in which ken goes on. */
  async sync(dataOnly: boolean): Promise<void> {
    const held = this.handle.hold();
    try {
      await (dataOnly ? toDisk.data : toDisk.all)(held.fd);
    } catch (error) {
      throw asFileError(error);
    } finally {
      held.release();
    }
  }

  #size(): bigint {
    return attempt(() => fstatSync(this.handle.fd, { bigint: true }).size);
  }

  #allowSize(wanted: bigint): void {
    this.#usage.allowSize(wanted);
    const current = this.#size();
    if (wanted > current) this.#usage.grow(Number(wanted - current));
  }

  requireWritable(): void {
    if (!this.canWrite) throw new FileError('bad-descriptor');
  }
}

function requireOffset(offset: bigint): bigint {
  if (offset > 0x7fff_ffff_ffff_ffffn) throw new FileError('invalid');
  return offset;
}
