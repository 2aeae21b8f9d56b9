import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../adapters/system/clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Exclusion } from '../base/exclusion.ts';
import { Fault } from '../base/fault.ts';
import type { Directories } from '../base/places.ts';

const PATIENCE_MS = 30_000;

/** Several workspaces share the file of a client; two that edit it at once would lose what one of them wrote. */
export function openClientLock({ state }: Directories): Exclusion {
  return deferred<Exclusion>(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/writer-locks.ts');
    const { writing } = await import('../adapters/files/file-fault.ts');
    const locks = sqliteWriterLocks(systemClock);
    const directory = path.join(state, 'clients');
    return {
      async exclusively(work) {
        await writing(directory, async () => void mkdirSync(directory, { recursive: true }));
        const lock = await locks.take(directory, AbortSignal.timeout(PATIENCE_MS)).catch((cause: unknown) => {
          throw lockFault(directory, cause);
        });
        try {
          return await work();
        } finally {
          await lock.release();
        }
      },
    };
  });
}

function lockFault(directory: string, cause: unknown): Fault {
  if (cause instanceof Fault && cause.code === 'conversations/busy') {
    const hint = 'Try again when it is done.';
    return new Fault('store/busy', 'Another ken is editing the files of MCP clients.', { hint, cause });
  }
  return new Fault('files/unwritable', `Nothing can be written in ${directory}.`, { cause });
}
