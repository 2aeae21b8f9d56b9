/** Writer locks as exclusive SQLite transactions: Node has no flock, and this one ends with its process. */

import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { type Clock, isoTime } from '../../../base/time.ts';
import type { HeldLock, WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { isBusy, isCorrupt, storeFault } from './store-fault.ts';
import { type Pauses, systemPauses } from './transaction.ts';

const LOCK = '.writer.lock';
const OWNER = '.writer.json';

export function sqliteWriterLocks(clock: Clock, pauses: Pauses = systemPauses): WriterLocks {
  return {
    async take(directory, wait) {
      for (let attempt = 0; ; attempt++) {
        const connection = tryToLock(path.join(directory, LOCK));
        if (connection) return held(connection, directory, clock);
        if (!wait || wait.aborted) throw busy(directory);
        await pauses.wait(10 + pauses.random() * Math.min(200, 10 * 2 ** attempt));
      }
    },
  };
}

/** `undefined` while someone else has it. */
function tryToLock(file: string): DatabaseSync | undefined {
  refuseOddFile(file);
  const connection = connectTo(file);
  try {
    connection.exec('begin exclusive');
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    if (!isCorrupt(error)) throw storeFault(error, file);
    // Not a lock of ours: something else was left under the name.
    rmSync(file);
    return tryToLock(file);
  }
}

function connectTo(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw storeFault(error, file);
  }
}

/** A link or a pipe under the lock's name came from elsewhere, and must not be opened. */
function refuseOddFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats || stats.isFile()) return;
  throw new Fault('files/unreadable', `${file} is not a regular file.`, { hint: 'Remove it and try again.' });
}

function held(connection: DatabaseSync, directory: string, clock: Clock): HeldLock {
  const owner = path.join(directory, OWNER);
  try {
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: hostname(), since: isoTime(clock.now()) }));
  } catch {
    // Only names the holder to others; the lock holds without it.
  }
  return {
    async release() {
      if (!connection.isOpen) return;
      rmSync(owner, { force: true });
      connection.close();
    },
  };
}

function busy(directory: string): Fault {
  return new Fault('conversations/busy', `This conversation is being written by ${ownerOf(directory)}.`, {
    hint: 'Wait until it is done, or start a new conversation with --new.',
  });
}

function ownerOf(directory: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(path.join(directory, OWNER), 'utf8')) as Record<
      string,
      unknown
    >;
    return `process ${Number(pid)} on ${String(host)} since ${String(since)}`;
  } catch {
    return 'another process';
  }
}
