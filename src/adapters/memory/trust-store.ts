import type { TrustRecord } from '../../domain/approvals/trust.ts';
import type { TrustStore } from '../../domain/approvals/trust-store.ts';

/** Lasts as long as the process. */
export function memoryTrustStore(): TrustStore {
  const records = new Map<string, TrustRecord>();
  return {
    get: async (workspace) => records.get(workspace),
    async put(record) {
      records.set(record.workspace, record);
    },
    revoke: async (workspace) => records.delete(workspace),
  };
}
