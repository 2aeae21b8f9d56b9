/** What the engine made of the glue, kept for the next process. The engine trusts it, so damage is detected here. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { lateCrypto } from './late-crypto.ts';

const CHECKSUM_BYTES = 8;

/** Nothing when it is absent or damaged. */
export function readCompiledGlue(file: string): Uint8Array | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(CHECKSUM_BYTES);
    return checksum(code).equals(kept.subarray(0, CHECKSUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Only saves time, so failing to write is no failure. */
export function writeCompiledGlue(file: string, code: Uint8Array): void {
  const fresh = `${file}.${lateCrypto().randomUUID()}`;
  try {
    writeFileSync(fresh, Buffer.concat([checksum(code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** Against accidents: whoever could write the file on purpose could write anything. Loads no crypto. */
function checksum(code: Uint8Array): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(code), 0);
  bytes.writeUInt32LE(code.length, 4);
  return bytes;
}
