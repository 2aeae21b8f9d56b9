/** The key with which this operator marks what they write into ledgers: a file in the data directory, for its owner alone. */

import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { OperatorKey } from '../../domain/ledger/entry/operator-key.ts';
import { readIfPossible, temporaryName } from '../paths/change-directory.ts';

const FILE = 'ledger.key';
const KEY_BYTES = 32;

/** `warn` is told once when there is no key that can be used. */
export function operatorKeyIn(directory: string, warn: (text: string) => void): OperatorKey {
  const file = path.join(directory, FILE);
  let known: Buffer | undefined;
  let isWarned = false;
  const without = (why: string) => {
    if (!isWarned) warn(`${file} ${why}: what you write into a ledger counts as written by somebody else.`);
    isWarned = true;
    return undefined;
  };
  const read = () => {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0)
      return without('may have been written by somebody else');
    const key = Buffer.from(readIfPossible(file)?.toString().trim() ?? '', 'hex');
    return key.length === KEY_BYTES ? key : without('is damaged');
  };
  const make = () => {
    if (isWarned) return undefined;
    try {
      makeKey(file);
      return read();
    } catch (error) {
      return without(`cannot be written (${error instanceof Error ? error.message : String(error)})`);
    }
  };
  const macOf = (key: Buffer, statement: string) =>
    process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(statement).digest();
  return {
    sign(statement) {
      known ??= read() ?? make();
      return known && macOf(known, statement).toString('base64url');
    },
    verify(statement, mac) {
      known ??= read();
      const given = Buffer.from(mac, 'base64url');
      if (!known || given.length !== 32) return false;
      return process.getBuiltinModule('node:crypto').timingSafeEqual(macOf(known, statement), given);
    },
  };
}

/** The first of two processes wins: its key stays. */
function makeKey(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const crypto = process.getBuiltinModule('node:crypto');
  const fresh = path.join(path.dirname(file), temporaryName());
  const descriptor = openSync(fresh, 'wx', 0o600);
  try {
    writeFileSync(descriptor, `${crypto.randomBytes(KEY_BYTES).toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(fresh, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(fresh, { force: true });
  }
}
