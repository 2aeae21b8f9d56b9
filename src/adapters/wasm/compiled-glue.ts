/** What the engine made of the glue, kept for the next process. The engine trusts it, so damage is detected here. */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const DIGEST_BYTES = 32;

/** Nothing when it is absent or damaged. */
export function readCompiledGlue(file: string): Uint8Array | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(DIGEST_BYTES);
    return digest(code).equals(kept.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Only saves time, so failing to write is no failure. */
export function writeCompiledGlue(file: string, code: Uint8Array): void {
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, Buffer.concat([digest(code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function digest(code: Uint8Array): Buffer {
  return createHash('sha256').update(code).digest();
}
