import { compareCodePoints } from '../../base/text.ts';
import { type Approval, type ApprovalState, stateAt } from '../../domain/approvals/approval.ts';
import type { ApprovalFilter, ApprovalStore, Ruling } from '../../domain/approvals/approval-store.ts';

/** Lasts as long as the process. */
export function memoryApprovalStore(): ApprovalStore {
  const records = new Map<string, Approval>();

  function put(approval: Approval, state: ApprovalState): Approval {
    const changed = { ...approval, state };
    records.set(approval.id, changed);
    return changed;
  }

  /** What is seen as expired by one that writes stays so. */
  function expireBy(now: number): void {
    for (const record of records.values()) put(record, stateAt(record, now));
  }

  return {
    async request(approval) {
      expireBy(approval.created);
      const same = (record: Approval) =>
        record.workspace === approval.workspace && record.digest === approval.digest;
      const waiting = [...records.values()].find(
        (record) => same(record) && record.state.status === 'pending',
      );
      return waiting ?? put({ ...approval, state: { status: 'pending' } }, { status: 'pending' });
    },
    async get(id, now) {
      const record = records.get(id);
      return record && { ...record, state: stateAt(record, now) };
    },
    async list(filter, now) {
      return [...records.values()]
        .map((record) => ({ ...record, state: stateAt(record, now) }))
        .filter((record) => fits(record, filter))
        .sort(newestFirst)
        .slice(0, filter.limit);
    },
    async decide(ruling) {
      expireBy(ruling.decision.at);
      const record = records.get(ruling.id);
      if (!record) return undefined;
      if (record.state.status !== 'pending') return { decided: false, approval: record };
      return { decided: true, approval: put(record, stateAfter(ruling)) };
    },
    async consume({ workspace, digest }, now) {
      expireBy(now);
      const covers = (record: Approval) => record.workspace === workspace && record.digest === digest;
      const [usable] = [...records.values()]
        .filter((record) => covers(record) && record.state.status === 'approved')
        .sort((a, b) => newestFirst(b, a));
      if (usable?.state.status !== 'approved') return undefined;
      return put(usable, { status: 'consumed', decision: usable.state.decision, consumed: now });
    },
  };
}

function stateAfter({ verdict, decision }: Ruling): ApprovalState {
  switch (verdict) {
    case 'approve':
      return { status: 'approved', decision };
    case 'deny':
      return { status: 'denied', decision };
    case 'approve-and-consume':
      return { status: 'consumed', decision, consumed: decision.at };
  }
}

function fits(record: Approval, { workspace, statuses, digest, idPrefix }: ApprovalFilter): boolean {
  if (workspace !== undefined && record.workspace !== workspace) return false;
  if (digest !== undefined && record.digest !== digest) return false;
  if (statuses && !statuses.includes(record.state.status)) return false;
  return record.id.startsWith(idPrefix ?? '');
}

function newestFirst(a: Approval, b: Approval): number {
  return b.created - a.created || compareCodePoints(b.id, a.id);
}
