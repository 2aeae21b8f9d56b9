import { mkdir } from 'node:fs/promises';
import { Fault } from '../../../base/fault.ts';
import type { WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { isSystemError, writeFault, writing } from '../file-fault.ts';
import { unreadable } from './unreadable.ts';

/** Runs `work` while no other process changes the list of topics. Held for moments, never while fetching. */
export type Locked = <Result>(work: () => Promise<Result>) => Promise<Result>;

const LONGEST_WAIT_MS = 60_000;

/** Creates the library's directory when it is missing. */
export function libraryLock(root: string, locks: WriterLocks): Locked {
  return async (work) => {
    await makeLibrary(root);
    const held = await locks.take(root, AbortSignal.timeout(LONGEST_WAIT_MS)).catch((cause: unknown) => {
      if (isSystemError(cause)) throw writeFault(root, cause);
      if (!(cause instanceof Fault) || cause.code !== 'conversations/busy') throw cause;
      throw new Fault(
        'references/busy',
        'Another process has been changing the reference library for a minute.',
        {
          hint: 'Wait until it is done, then try again.',
          cause,
        },
      );
    });
    try {
      return await work();
    } finally {
      await held.release();
    }
  };
}

async function makeLibrary(root: string): Promise<void> {
  await writing(root, async () => {
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST')
        throw unreadable(root, { ...error, code: 'ENOTDIR' });
      throw error;
    }
  });
}
