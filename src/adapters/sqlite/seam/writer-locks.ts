import { closeSync, constants, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { type Clock, isoTime } from '../../../base/time.ts';
import type { HeldLock, WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { remove } from '../../paths/change-directory.ts';
import { openFile, readPlainFile } from '../../paths/open-path.ts';
import { lockFile } from './database-file.ts';
import { isBusy } from './store-fault.ts';
import { type Pauses, systemPauses } from './transaction.ts';

const LOCK = '.writer.lock';
const OWNER = '.writer.json';
const OWNER_BYTES = 4096;

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

/** Undefined while another process has it. */
function tryToLock(file: string): DatabaseSync | undefined {
  try {
    return lockFile(file, 'exclusive');
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function held(connection: DatabaseSync, directory: string, clock: Clock): HeldLock {
  const owner = path.join(directory, OWNER);
  try {
    writeOwner(owner, { pid: process.pid, host: hostname(), since: isoTime(clock.now()) });
  } catch (error) {
    // Only names the holder to others; the lock holds without it.
    if (error instanceof Fault) {
      connection.close();
      throw error;
    }
  }
  return {
    async release() {
      if (!connection.isOpen) return;
      remove(owner);
      connection.close();
    },
  };
}

function writeOwner(file: string, owner: object): void {
  const descriptor = openFile(file, { flags: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC });
  try {
    writeFileSync(descriptor, JSON.stringify(owner));
  } finally {
    closeSync(descriptor);
  }
}

function busy(directory: string): Fault {
  return new Fault('conversations/busy', `This conversation is being written by ${ownerOf(directory)}.`, {
    hint: 'Wait until it is done, or start a new conversation with --new.',
  });
}

function ownerOf(directory: string): string {
  try {
    const text = readPlainFile(path.join(directory, OWNER), OWNER_BYTES);
    const { pid, host, since } = JSON.parse(String(text)) as Record<string, unknown>;
    return `process ${Number(pid)} on ${String(host)} since ${String(since)}`;
  } catch {
    return 'another process';
  }
}
