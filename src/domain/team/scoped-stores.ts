/** Stores limited to one principal: they show one workspace, and refuse changes without the right to make them. */

import { Fault } from '../../base/fault.ts';
import type { ApprovalStore } from '../approvals/approval-store.ts';
import type { JobStore } from '../approvals/job-store.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { ReferenceLibrary } from '../references/topic/library.ts';
import type { Scope } from './access.ts';
import type { Visibility } from './visibility/visibility.ts';

export interface Rights {
  readonly scopes: readonly Scope[];
  /** Called with the attempt before a refusal is thrown. */
  onDenied(act: string): void;
  /** Called after a change. */
  onChanged(act: string): void;
}

export function requireScope({ scopes, onDenied }: Rights, scope: Scope, act: string): void {
  if (scopes.includes(scope)) return;
  onDenied(act);
  throw new Fault('team/denied', `This needs the right to ${scope}.`, {
    hint: 'Ask an administrator of the team: "ken serve member add".',
  });
}

/** The approvals of one workspace, from the store of the whole team. */
export function approvalsOf(store: ApprovalStore, workspace: string, rights: Rights): ApprovalStore {
  const own = async (id: string, now: number) => {
    const found = await store.get(id, now);
    return found?.workspace === workspace ? found : undefined;
  };
  return {
    async request(approval) {
      requireScope(rights, rights.scopes.includes('write') ? 'write' : 'propose', 'approvals.request');
      const asked = await store.request({ ...approval, workspace });
      rights.onChanged(`approvals.request ${asked.id}`);
      return asked;
    },
    get: own,
    list: (filter, now) => store.list({ ...filter, workspace }, now),
    async decide(ruling) {
      requireScope(rights, 'approve', `approvals.decide ${ruling.id}`);
      if (!(await own(ruling.id, ruling.decision.at))) return undefined;
      const result = await store.decide(ruling);
      if (result?.decided) rights.onChanged(`approvals.${ruling.verdict} ${ruling.id}`);
      return result;
    },
    async confirm(id, decision) {
      requireScope(rights, 'approve', `approvals.confirm ${id}`);
      if (await own(id, decision.at)) await store.confirm(id, decision);
    },
    // An approval can be used once, by anybody who makes the same request.
    consume: (request, now) => store.consume({ ...request, workspace }, now),
  };
}

export function jobsOf(store: JobStore, workspace: string): JobStore {
  const own = async (id: string) => {
    const found = await store.get(id);
    return found?.workspace === workspace ? found : undefined;
  };
  return {
    start: (job) => store.start({ ...job, workspace }),
    get: own,
    list: (filter) => store.list({ ...filter, workspace }),
    async report(id, progress, now) {
      return (await own(id)) ? store.report(id, progress, now) : { isCancelRequested: true };
    },
    requestCancel: async (id) => ((await own(id)) ? store.requestCancel(id) : false),
    finish: async (id, end) => ((await own(id)) ? store.finish(id, end) : false),
  };
}

/** Reading needs no right of its own. */
export function libraryOf(store: ReferenceLibrary, rights: Rights): ReferenceLibrary {
  return {
    ...store,
    async stage() {
      requireScope(rights, 'write', 'library.stage');
      const staged = await store.stage();
      return {
        ...staged,
        async publish(topic, lock) {
          const isNew = await staged.publish(topic, lock);
          if (isNew) rights.onChanged(`library.publish ${topic.slug}`);
          return isNew;
        },
        async replace(slug, change, lock) {
          const isReplaced = await staged.replace(slug, change, lock);
          if (isReplaced) rights.onChanged(`library.replace ${slug}`);
          return isReplaced;
        },
      };
    },
    async change(slug, change) {
      requireScope(rights, 'write', `library.change ${slug}`);
      const isChanged = await store.change(slug, change);
      if (isChanged) rights.onChanged(`library.change ${slug}`);
      return isChanged;
    },
    async remove(slug) {
      requireScope(rights, 'write', `library.remove ${slug}`);
      const isRemoved = await store.remove(slug);
      if (isRemoved) rights.onChanged(`library.remove ${slug}`);
      return isRemoved;
    },
    async tidy() {
      requireScope(rights, 'write', 'library.tidy');
      return store.tidy();
    },
  };
}

const NEEDS: Readonly<Partial<Record<keyof LedgerStore, Scope>>> = {
  add: 'write',
  changeStatus: 'write',
  decay: 'write',
  recordVerdicts: 'write',
  recordRetrieval: 'propose',
  importHistories: 'write',
  promote: 'approve',
  revoke: 'approve',
  stateClaim: 'write',
};

/** A change of what every workspace sees is a person's. */
const NEEDS_OF_TEAM: typeof NEEDS = { ...NEEDS, add: 'approve', changeStatus: 'approve' };

/** An entry that only its author sees needs nobody's leave; who may only read adds none. */
const NEEDS_OF_ONES_OWN: typeof NEEDS = { ...NEEDS, add: 'propose', changeStatus: 'propose' };

/** The rights that each method needs in a ledger of this visibility. */
const LEDGER_NEEDS: Readonly<Record<Visibility, typeof NEEDS>> = {
  me: NEEDS_OF_ONES_OWN,
  workspace: NEEDS,
  team: NEEDS_OF_TEAM,
};

export function ledgerOf(
  store: LedgerStore,
  rights: Rights,
  visibility: Visibility = 'workspace',
): LedgerStore {
  const needs = LEDGER_NEEDS[visibility];
  return new Proxy(store, {
    get(target, name: string & keyof LedgerStore) {
      const needed = needs[name];
      if (needed === undefined) return target[name];
      return async (...input: never[]) => {
        const isEnough = needed === 'propose' && rights.scopes.includes('write');
        requireScope(rights, isEnough ? 'write' : needed, `ledger.${name}`);
        const method = target[name] as (...given: never[]) => Promise<unknown>;
        const result = await method(...input);
        // Nobody else learns that there is something of somebody's own.
        if (visibility !== 'me') rights.onChanged(`ledger.${name}`);
        return result;
      };
    },
  });
}
