import type { Fault } from '../../base/fault.ts';
import type { SharedLedger } from './shared/shared-ledger.ts';
import type { LedgerStore } from './store.ts';

/**
 * A ledger on a copy that is thrown away: what a reader leaves behind (verdicts, what was returned) is lost, and what
 * somebody wants to keep is refused.
 */
export function readOnlyLedger(copy: LedgerStore, refusal: Fault): LedgerStore {
  const refuse = refuseWith(refusal);
  return {
    ...copy,
    add: refuse,
    changeStatus: refuse,
    promote: refuse,
    revoke: refuse,
    stateClaim: refuse,
    importHistories: refuse,
    async recordVerdicts({ checked }) {
      if (checked.some(({ isFixed }) => isFixed)) throw refusal;
    },
    decay: (request) => (request.dryRun ? copy.decay(request) : refuse()),
    recordRetrieval: async () => {},
  };
}

export function readOnlySharing(copy: SharedLedger, refusal: Fault): SharedLedger {
  return { ...copy, accept: refuseWith(refusal), decline: refuseWith(refusal) };
}

function refuseWith(refusal: Fault): () => Promise<never> {
  return async () => {
    throw refusal;
  };
}
