import { mkdirSync } from 'node:fs';
import type { Exclusion } from '../../base/concurrency.ts';
import { Fault } from '../../base/fault.ts';
import type { WriterLocks } from '../../domain/conversations/writer-lock.ts';
import { writing } from './file-fault.ts';

export interface DirectoryExclusion {
  /** Created when it is missing. */
  readonly directory: string;
  readonly locks: WriterLocks;
  readonly maxWaitMs: number;
  /** Message of the Fault after that time: "Another ken is doing that." */
  readonly busy: string;
}

export function directoryExclusion({ directory, locks, maxWaitMs, busy }: DirectoryExclusion): Exclusion {
  const lockFault = (cause: unknown) =>
    cause instanceof Fault && cause.code === 'conversations/busy'
      ? new Fault('store/busy', busy, { hint: 'Try again when it is done.', cause })
      : new Fault('files/unwritable', `Nothing can be written in ${directory}.`, { cause });
  return {
    async exclusively(work) {
      await writing(directory, async () => void mkdirSync(directory, { recursive: true }));
      const lock = await locks.take(directory, AbortSignal.timeout(maxWaitMs)).catch((cause: unknown) => {
        throw lockFault(cause);
      });
      try {
        return await work();
      } finally {
        await lock.release();
      }
    },
  };
}
