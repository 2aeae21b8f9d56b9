import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault, type FaultCode } from '../../base/fault.ts';
import type { Content } from '../../domain/ledger/exchange/export-lines.ts';
import type { Invocation } from './command.ts';

/** Reads a file, or standard input for `-` or without a name, unless that is a terminal. */
export async function readContent(
  source: string | undefined,
  { directory, terminal }: Pick<Invocation, 'directory' | 'terminal'>,
): Promise<Uint8Array> {
  if (source !== undefined && source !== '-') return readNamedFile(path.resolve(directory, source));
  const input = await terminal.readInput();
  if (input) return input;
  throw new Fault('cli/usage', 'There is nothing to read.', {
    hint: 'Name a file, or pipe the content in and write -.',
  });
}

/** Like `readContent`; a named file stays open until ken ends, and is read part by part. */
export async function openContent(
  source: string | undefined,
  invocation: Pick<Invocation, 'directory' | 'terminal'>,
): Promise<Content> {
  if (source === undefined || source === '-') return readContent(source, invocation);
  const file = path.resolve(invocation.directory, source);
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return contentAt(descriptor, stats.size);
    closeSync(descriptor);
  } catch (error) {
    throw readFault(file, error);
  }
  throw notRegular(file);
}

function contentAt(descriptor: number, length: number): Content {
  return {
    length,
    subarray(start, end) {
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
        read = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
      return bytes.subarray(0, filled);
    },
  };
}

/** The text that an option gives; `-` is standard input, without its last line end. */
export async function readText<Given extends string | undefined>(
  given: Given,
  invocation: Pick<Invocation, 'directory' | 'terminal'>,
  invalid: FaultCode,
): Promise<Given | string> {
  if (given !== '-') return given;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return decoder.decode(await readContent('-', invocation)).replace(/\r?\n$/, '');
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault(invalid, 'Standard input is not UTF-8 text.', { cause });
  }
}

/** Refuses pipes and devices: they might never end. */
async function readNamedFile(file: string): Promise<Uint8Array> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) return await readFile(file);
  } catch (error) {
    throw readFault(file, error);
  }
  throw notRegular(file);
}

function notRegular(file: string): Fault {
  return new Fault('files/unreadable', `${file} is not a regular file.`, {
    hint: 'Name a file, or - for standard input.',
  });
}

function readFault(file: string, cause: unknown): Fault {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Fault('files/not-found', `There is no file ${file}.`, { cause });
  const hint = code === 'EACCES' ? 'Check who owns it, and whether you may read it.' : undefined;
  return new Fault('files/unreadable', `${file} cannot be read.`, { hint, cause });
}
