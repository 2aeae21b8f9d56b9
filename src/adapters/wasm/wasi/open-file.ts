/** An open regular file of a guest. */

import { fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { attempt, FileError } from './error.ts';
import type { Handle, Usage } from './guest-files.ts';
import { InputStream, OutputStream } from './streams.ts';

const LONGEST_READ = 1024 ** 2;

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
  read(length: bigint, offset: bigint): Uint8Array {
    if (!this.canRead) throw new FileError('bad-descriptor');
    const buffer = new Uint8Array(length > LONGEST_READ ? LONGEST_READ : Number(length));
    const count = attempt(() => readSync(this.handle.fd, buffer, 0, buffer.length, requireOffset(offset)));
    this.#usage.hasRead(this.guestPath, count);
    return buffer.subarray(0, count);
  }

  write(bytes: Uint8Array, offset: bigint): number {
    this.requireWritable();
    this.#usage.allowWrite(bytes.length);
    this.#usage.allowSize(offset + BigInt(bytes.length));
    const count = attempt(() => writeSync(this.handle.fd, bytes, 0, bytes.length, Number(offset)));
    this.#usage.hasWritten(this.guestPath, count);
    return count;
  }

  setSize(size: bigint): void {
    this.requireWritable();
    this.#usage.allowSize(size);
    attempt(() => ftruncateSync(this.handle.fd, Number(size)));
    this.#usage.hasWritten(this.guestPath, 0);
  }

  sync(dataOnly: boolean): void {
    attempt(() => (dataOnly ? fdatasyncSync(this.handle.fd) : fsyncSync(this.handle.fd)));
  }

  requireWritable(): void {
    if (!this.canWrite) throw new FileError('bad-descriptor');
  }

  reader(start: bigint): InputStream {
    if (!this.canRead) throw new FileError('bad-descriptor');
    const held = this.handle.hold();
    let offset = requireOffset(start);
    return new InputStream(
      (length) => {
        const bytes = this.read(BigInt(length), offset);
        offset += BigInt(bytes.length);
        return bytes;
      },
      () => held.release(),
    );
  }

  /** Without a start, each write appends to the file. */
  writer(start?: bigint): OutputStream {
    this.requireWritable();
    const held = this.handle.hold();
    let offset = start;
    return new OutputStream(
      (bytes) => {
        let from = offset ?? attempt(() => fstatSync(held.fd, { bigint: true }).size);
        for (let done = 0; done < bytes.length; ) {
          const count = this.write(bytes.subarray(done), from);
          done += count;
          from += BigInt(count);
        }
        if (offset !== undefined) offset = from;
      },
      () => held.release(),
    );
  }
}

function requireOffset(offset: bigint): bigint {
  if (offset > 0x7fff_ffff_ffff_ffffn) throw new FileError('invalid');
  return offset;
}
