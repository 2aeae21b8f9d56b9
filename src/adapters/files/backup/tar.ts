/**
 * Headers of tar archives: POSIX ustar, with pax headers for what does not fit. Only plain files are written, and
 * nothing else is accepted: a backup may come from anywhere.
 */

import { Fault } from '../../../base/fault.ts';

export const BLOCK = 512;

export interface TarFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

/** Zero bytes that follow the content of a file of this size. */
export function padding(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

/** The blocks before the content. The pax header has the path, the size and the time in full, in UTF-8. */
export function tarHeader({ path, bytes, modifiedAt }: TarFile): Buffer {
  const records = Buffer.concat(
    [
      ['path', path],
      ['size', String(bytes)],
      ['mtime', (modifiedAt / 1000).toFixed(3)],
    ].map(([key = '', value = '']) => paxRecord(key, value)),
  );
  const pax = block({ name: 'PaxHeader', type: 'x', bytes: records.length, seconds: 0 });
  const short = path.replaceAll(/[^\x20-\x7e]/g, '_').slice(-99);
  const size = Math.min(bytes, MOST_IN_OCTAL);
  const file = block({ name: short, type: '0', bytes: size, seconds: Math.floor(modifiedAt / 1000) });
  return Buffer.concat([pax, records, Buffer.alloc(padding(records.length)), file]);
}

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

const MOST_IN_OCTAL = 0o77777777777;

/** `27 path=…\n`: the length in front counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

interface Block {
  readonly name: string;
  readonly type: '0' | 'x';
  readonly bytes: number;
  readonly seconds: number;
}

function block({ name, type, bytes, seconds }: Block): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${Math.max(0, Math.min(seconds, MOST_IN_OCTAL)).toString(8).padStart(11, '0')}\0`, 136);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Every byte, with the sum's own field counted as spaces. */
function sumOf(header: Uint8Array): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

export interface ParsedHeader {
  readonly kind: 'file' | 'pax' | 'end';
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export function parseHeader(header: Buffer): ParsedHeader {
  if (header.every((byte) => byte === 0)) return { kind: 'end', name: '', bytes: 0, modifiedAt: 0 };
  if (octal(header, 148, 8) !== sumOf(header)) throw damaged('a header of it is damaged');
  const type = String.fromCharCode(header[156] ?? 0);
  if (type !== '0' && type !== '\0' && type !== 'x')
    throw damaged('it holds something that is not a plain file');
  const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
  const [bytes, seconds] = [octal(header, 124, 12), octal(header, 136, 12)];
  return { kind: type === 'x' ? 'pax' : 'file', name, bytes, modifiedAt: seconds * 1000 };
}

function octal(header: Buffer, at: number, length: number): number {
  const text = header.toString('latin1', at, at + length).replace(/[\0 ]+$/, '');
  if (!/^[0-7]{1,11}$/.test(text)) throw damaged('a number in it is not octal');
  return Number.parseInt(text, 8);
}

/** The records that tar files written by ken have; others are ignored. */
export function parsePax(content: Buffer): Partial<TarFile> {
  const found: { path?: string; bytes?: number; modifiedAt?: number } = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length < space - at + 3 || at + length > content.length)
      throw damaged('a header of it is damaged');
    const [, key, value = ''] =
      /^([^=]*)=(.*)\n$/s.exec(content.toString('utf8', space + 1, at + length)) ?? [];
    if (key === 'path') found.path = value;
    if (key === 'size') found.bytes = wholeNumber(value);
    if (key === 'mtime') found.modifiedAt = Math.round(finiteNumber(value) * 1000);
    at += length;
  }
  return found;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw damaged('a size in it is not a number');
  return number;
}

function finiteNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isFinite(number)) throw damaged('a time in it is not a number');
  return number;
}

export function damaged(problem: string): Fault {
  return new Fault('backup/invalid', `This is not a whole backup: ${problem}.`, {
    hint: 'Use another copy; "ken backup --list" shows those that ken made.',
  });
}
