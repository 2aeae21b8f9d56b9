import { onTestFinished } from 'vitest';
import { sqliteApprovalStore } from '../../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../src/adapters/sqlite/approvals/approvals-database.ts';
import { systemHasher } from '../../src/adapters/system/primitives.ts';
import type { DecisionRecord } from '../../src/base/approvals.ts';
import type { Approver } from '../../src/domain/approvals/approver.ts';
import type { ResultStore } from '../../src/domain/tools/limit-result.ts';
import { absentApprover } from '../doubles/approvers.ts';
import { countingIds } from '../doubles/ids.ts';

/** Everything that `callTool` needs, with a store of its own and a list of the decisions that were noted. */
export async function callPorts(approver: Approver = absentApprover) {
  const database = await openApprovalsDatabase(':memory:');
  onTestFinished(() => database.close());
  const notes: DecisionRecord[] = [];
  return {
    approvals: sqliteApprovalStore(database),
    approver,
    clock: { now: () => 1_000_000 },
    ids: countingIds(),
    hasher: systemHasher,
    config: { approvals: { noninteractive: 'pending', expires_hours: 24 } },
    recordDecision: async (note: DecisionRecord) => void notes.push(note),
    results: resultsInMemory(),
    answerQuestion: async () => undefined,
    notes,
  };
}

export function resultsInMemory(): ResultStore {
  const kept: string[] = [];
  return {
    async keep(text) {
      kept.push(text);
      return `r${kept.length}`;
    },
    async read(id, offset, maxBytes) {
      const text = kept[Number(id.slice(1)) - 1];
      if (text === undefined) return undefined;
      const part = text.slice(offset, offset + maxBytes);
      return { text: part, sizeBytes: text.length, next: offset + part.length };
    },
  };
}
