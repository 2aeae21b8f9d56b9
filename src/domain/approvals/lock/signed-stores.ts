/** Stores that sign what the operator decides and, while the lock is on, return only what the operator has signed. */

import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson, type Json } from '../../../base/json.ts';
import type { Approval, Decision } from '../approval.ts';
import type { ApprovalStore, Ruling } from '../approval-store.ts';
import type { StandingApproval, StandingApprovals } from '../standing/standing-approval.ts';
import { definitionDigest, type ToolPin, type ToolPinStore } from '../tool-pin.ts';
import { type TrustRecord, type TrustStore, trustDigest } from '../trust.ts';
import { type ApprovalsLock, isLocked } from './approvals-lock.ts';

export interface SigningPorts {
  readonly lock: ApprovalsLock;
  readonly hasher: Hasher;
  /** The operator's data directory: a signature counts only there. */
  readonly scope: string;
}

export function signedApprovals(ports: SigningPorts, store: ApprovalStore): ApprovalStore {
  const { lock } = ports;
  const isBelieved = async (approval: Approval) => {
    const { state } = approval;
    if (!('decision' in state) || !state.decision) return true;
    if (state.status !== 'approved' && state.status !== 'consumed') return true;
    const { signature, ...decision } = state.decision;
    const verdicts = state.status === 'approved' ? (['approve'] as const) : APPROVING;
    for (const verdict of verdicts) {
      if (await lock.believes(decisionStatement(ports, approval, verdict, decision), signature)) return true;
    }
    return false;
  };
  const asBelieved = async (approval: Approval): Promise<Approval> => {
    if (await isBelieved(approval)) return approval;
    return { ...approval, state: { status: 'expired', decision: undefined } };
  };
  return {
    request: (approval) => store.request(approval),
    async get(id, now) {
      const found = await store.get(id, now);
      return found && asBelieved(found);
    },
    async list(filter, now) {
      const listed = await store.list(filter, now);
      // Read once: with many approvals, reading it for each takes longer than all the rest.
      const found = (await lock.state()).kind === 'off' ? listed : await Promise.all(listed.map(asBelieved));
      return filter.statuses ? found.filter(({ state }) => filter.statuses?.includes(state.status)) : found;
    },
    async decide(ruling) {
      if (ruling.verdict === 'deny') return store.decide(ruling);
      const approval = await store.get(ruling.id, ruling.decision.at);
      if (!approval) return undefined;
      return store.decide({ ...ruling, decision: await signedDecision(ports, approval, ruling) });
    },
    async confirm(id, decision) {
      const approval = await store.get(id, decision.at);
      if (!approval) return;
      const ruling = { id, verdict: 'approve-and-consume', decision } as const;
      await store.confirm(id, await signedDecision(ports, approval, ruling));
    },
    async consume(covered, now) {
      if (!isLocked(await lock.state())) return store.consume(covered, now);
      const { workspace, digest } = covered;
      const approved = await store.list({ digest, statuses: ['approved'] }, now);
      for (const approval of approved.toReversed()) {
        if (approval.workspace !== workspace || !(await isBelieved(approval))) continue;
        const used = await store.consume({ ...covered, id: approval.id }, now);
        if (used) return used;
      }
      return undefined;
    },
  };
}

const APPROVING = ['approve', 'approve-and-consume'] as const;

async function signedDecision(
  ports: SigningPorts,
  approval: Approval,
  { verdict, decision }: Ruling,
): Promise<Decision> {
  const signature = await ports.lock.sign(decisionStatement(ports, approval, verdict, decision));
  return signature === undefined ? decision : { ...decision, signature };
}

function decisionStatement(
  { scope }: SigningPorts,
  { id, workspace, reason, request, digest, expires }: Approval,
  verdict: Ruling['verdict'],
  { by, at, through }: Decision,
): string {
  const decided = {
    id,
    workspace: workspace ?? null,
    reason,
    request,
    digest,
    expires,
    verdict,
    by,
    at,
    through,
  };
  return statement('decision', scope, decided);
}

export function signedTrust(ports: SigningPorts, store: TrustStore): TrustStore {
  return {
    async get(workspace) {
      const record = await store.get(workspace);
      if (!record) return undefined;
      const isBelieved = await ports.lock.believes(trustStatement(ports, record), record.decision.signature);
      return isBelieved ? record : undefined;
    },
    async put(record) {
      const signature = await ports.lock.sign(trustStatement(ports, record));
      const decision = signature === undefined ? record.decision : { ...record.decision, signature };
      await store.put({ ...record, decision });
    },
    revoke: (workspace) => store.revoke(workspace),
    list: () => store.list(),
  };
}

function trustStatement(
  { scope, hasher }: SigningPorts,
  { workspace, sources, decision }: TrustRecord,
): string {
  const { by, at, through } = decision;
  return statement('trust', scope, { workspace, digest: trustDigest(hasher, sources), by, at, through });
}

export function signedToolPins(ports: SigningPorts, store: ToolPinStore): ToolPinStore {
  const isBelieved = (pin: ToolPin) => ports.lock.believes(pinStatement(ports, pin), pin.signature);
  return {
    async get(tool) {
      const pin = await store.get(tool);
      return pin && (await isBelieved(pin)) ? pin : undefined;
    },
    async put(pin) {
      const signature = await ports.lock.sign(pinStatement(ports, pin));
      await store.put(signature === undefined ? pin : { ...pin, signature });
    },
    async list(workspace) {
      const pins = await store.list(workspace);
      const believed = await Promise.all(pins.map(isBelieved));
      return pins.filter((_, at) => believed[at]);
    },
    remove: (tool) => store.remove(tool),
  };
}

export function signedStandingApprovals(ports: SigningPorts, store: StandingApprovals): StandingApprovals {
  const isBelieved = (standing: StandingApproval) =>
    ports.lock.believes(standingStatement(ports, standing), standing.decision.signature);
  return {
    async add(standing) {
      const signature = await ports.lock.sign(standingStatement(ports, standing));
      const decision = signature === undefined ? standing.decision : { ...standing.decision, signature };
      await store.add({ ...standing, decision });
    },
    async find(covered, now) {
      const found = await store.find(covered, now);
      return found && (await isBelieved(found)) ? found : undefined;
    },
    async list(now) {
      const found = await store.list(now);
      const believed = await Promise.all(found.map(isBelieved));
      return found.filter((_, at) => believed[at]);
    },
    revoke: (id, revoked) => store.revoke(id, revoked),
  };
}

function standingStatement({ scope }: SigningPorts, { decision, ...standing }: StandingApproval): string {
  const { by, at, through } = decision;
  return statement('standing', scope, { ...standing, by, at, through });
}

function pinStatement({ scope, hasher }: SigningPorts, pin: ToolPin): string {
  const { workspace, server, tool, definition, pinned } = pin;
  return statement('pin', scope, {
    workspace,
    server,
    tool,
    digest: definitionDigest(hasher, definition),
    pinned,
  });
}

function statement(kind: string, scope: string, content: Json): string {
  return canonicalJson(['ken-lock-1', kind, scope, content]);
}
