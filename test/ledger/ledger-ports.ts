import { systemHasher } from '../../src/adapters/system/primitives.ts';
import { fixedClock } from '../../src/base/time.ts';
import type { WorkspaceHistory } from '../../src/domain/ledger/evidence/check-evidence.ts';
import { NO_SOURCE } from '../../src/domain/ledger/evidence/evidence.ts';
import { countingIds } from '../doubles/ids.ts';
import { approvalsInMemory, ledgerInMemory } from '../stores-in-memory.ts';

/** History of a workspace without a repository. */
export const NO_HISTORY: WorkspaceHistory = {
  commitsAmong: async () => undefined,
  renames: async () => [],
  files: async () => [],
  tracked: async () => [],
  commitsWith: async () => [],
  committed: async () => undefined,
};

/** All that the ledger asks for, in memory, at second 1000, with nobody to ask and nothing to cite. */
export function ledgerPorts(noninteractive: 'pending' | 'allow') {
  return {
    ...ledgerInMemory(),
    approvals: approvalsInMemory(),
    approver: {
      isThere: async () => false,
      asksAgain: async () => false,
      ask: async () => ({ verdict: 'nobody' as const }),
    },
    clock: fixedClock(1_000_000),
    ids: countingIds(),
    hasher: systemHasher,
    evidence: { read: async () => undefined },
    citedSource: NO_SOURCE,
    history: NO_HISTORY,
    isCitationUri: () => false,
    workspace: { root: '/w' },
    config: {
      knowledge: { ephemeral_days: 7, decay_days: 30 },
      approvals: { noninteractive, expires_hours: 24 },
    },
  };
}
