import path from 'node:path';
import { systemClock } from '../adapters/system/clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Exclusion } from '../base/exclusion.ts';
import type { Directories } from '../base/places.ts';

const PATIENCE_MS = 30_000;

/** Several workspaces share the file of a client; two that edit it at once would lose what one of them wrote. */
export function openClientLock({ state }: Directories): Exclusion {
  return deferred<Exclusion>(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/writer-locks.ts');
    const { directoryExclusion } = await import('../adapters/files/directory-exclusion.ts');
    return directoryExclusion({
      directory: path.join(state, 'clients'),
      locks: sqliteWriterLocks(systemClock),
      patienceMs: PATIENCE_MS,
      busy: 'Another ken is editing the files of MCP clients.',
    });
  });
}
