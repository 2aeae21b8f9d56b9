import { describe, expect, it } from 'vitest';
import type { Approval, Decision, NewApproval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2030, 0, 1, 12);

export function newApproval(given: Partial<NewApproval> = {}): NewApproval {
  return {
    id: 'a1',
    workspace: '/home/ada/project',
    reason: { type: 'tool_run', tool: 'fs.remove', arguments: { path: 'build' } },
    request: { tool: 'fs.remove', arguments: { path: 'build' } },
    actor: 'ken',
    summary: "Run tool 'fs.remove'?",
    digest: 'd1',
    created: NOON,
    expires: NOON + 24 * HOUR,
    ...given,
  };
}

const ada: Decision = { by: 'ada', at: NOON + HOUR, through: 'terminal' };
const later = NOON + 2 * HOUR;
const tooLate = NOON + 24 * HOUR;

/** The promises of `ApprovalStore`; every adapter's test file calls this once. */
export function itKeepsApprovals(name: string, open: () => Promise<ApprovalStore>): void {
  const opened = async (...records: readonly NewApproval[]) => {
    const store = await open();
    for (const record of records) await store.request(record);
    return store;
  };

  describe(`${name} as an ApprovalStore`, () => {
    it('gives a record back as it was', async () => {
      const tricky = newApproval({
        workspace: undefined,
        summary: "it's \u0000 \u{1f600} '; drop table approval; --",
        request: { list: [1, 'ü', null, true, { '': '' }] },
      });
      const store = await opened();
      expect(await store.request(tricky)).toEqual({ ...tricky, state: { status: 'pending' } });
      expect(await store.get('a1', later)).toEqual({ ...tricky, state: { status: 'pending' } });
      expect(await store.get('a', later)).toBeUndefined();
    });

    it('keeps one pending record for one request', async () => {
      const store = await opened(newApproval());
      expect((await store.request(newApproval({ id: 'a2', created: later }))).id).toBe('a1');
      expect((await store.request(newApproval({ id: 'a3', digest: 'd2' }))).id).toBe('a3');
      expect((await store.request(newApproval({ id: 'a4', workspace: '/elsewhere' }))).id).toBe('a4');
      expect((await store.request(newApproval({ id: 'a5', workspace: undefined }))).id).toBe('a5');
      expect((await store.list({}, later)).map(({ id }) => id).sort()).toEqual(['a1', 'a3', 'a4', 'a5']);
    });

    it('makes a new record once the last one is decided or expired', async () => {
      const store = await opened(newApproval());
      await store.decide({ id: 'a1', verdict: 'deny', decision: ada });
      expect((await store.request(newApproval({ id: 'a2' }))).id).toBe('a2');
      const fresh = newApproval({ id: 'a3', created: tooLate, expires: tooLate + HOUR });
      expect((await store.request(fresh)).id).toBe('a3');
    });

    it.each([
      ['approve', { status: 'approved', decision: ada }],
      ['deny', { status: 'denied', decision: ada }],
      ['approve-and-consume', { status: 'consumed', decision: ada, consumed: ada.at }],
    ] as const)('records who decided to %s', async (verdict, state) => {
      const store = await opened(newApproval());
      const approval = { ...newApproval(), state };
      expect(await store.decide({ id: 'a1', verdict, decision: ada })).toEqual({ decided: true, approval });
      expect(await store.get('a1', later)).toEqual(approval);
    });

    it('keeps the note of a denial', async () => {
      const store = await opened(newApproval());
      const decision = { ...ada, note: 'only the docs' };
      await store.decide({ id: 'a1', verdict: 'deny', decision });
      expect((await store.get('a1', later))?.state).toEqual({ status: 'denied', decision });
    });

    it.each(['approve', 'deny', 'approve-and-consume'] as const)('decides once, after %s', async (first) => {
      const store = await opened(newApproval());
      const before = await store.decide({ id: 'a1', verdict: first, decision: ada });
      for (const verdict of ['approve', 'deny', 'approve-and-consume'] as const) {
        const bob: Decision = { by: 'bob', at: later, through: 'web' };
        expect(await store.decide({ id: 'a1', verdict, decision: bob })).toEqual({
          ...before,
          decided: false,
        });
      }
    });

    it('does not decide what is not there', async () => {
      const store = await opened(newApproval());
      expect(await store.decide({ id: 'a', verdict: 'approve', decision: ada })).toBeUndefined();
    });

    it('is used once, and only for the request it covers', async () => {
      const store = await opened(newApproval());
      const covered = { workspace: '/home/ada/project', digest: 'd1' };
      expect(await store.consume(covered, later)).toBeUndefined();
      await store.decide({ id: 'a1', verdict: 'approve', decision: ada });
      expect(await store.consume({ ...covered, digest: 'd2' }, later)).toBeUndefined();
      expect(await store.consume({ ...covered, workspace: '/home/ada' }, later)).toBeUndefined();
      expect(await store.consume({ ...covered, workspace: undefined }, later)).toBeUndefined();
      const used = { ...newApproval(), state: { status: 'consumed', decision: ada, consumed: later } };
      expect(await store.consume(covered, later)).toEqual(used);
      expect(await store.consume(covered, later)).toBeUndefined();
      expect(await store.get('a1', later)).toEqual(used);
    });

    it('is not used when it was denied', async () => {
      const store = await opened(newApproval());
      await store.decide({ id: 'a1', verdict: 'deny', decision: ada });
      expect(await store.consume({ workspace: '/home/ada/project', digest: 'd1' }, later)).toBeUndefined();
    });

    it('uses the older of two', async () => {
      const store = await opened(newApproval());
      await store.decide({ id: 'a1', verdict: 'approve', decision: ada });
      await store.request(newApproval({ id: 'a0', created: NOON + 1 }));
      await store.decide({ id: 'a0', verdict: 'approve', decision: ada });
      const covered = { workspace: '/home/ada/project', digest: 'd1' };
      expect((await store.consume(covered, later))?.id).toBe('a1');
      expect((await store.consume(covered, later))?.id).toBe('a0');
      expect(await store.consume(covered, later)).toBeUndefined();
    });

    it('can neither be decided nor used from the moment it expires', async () => {
      const store = await opened(newApproval(), newApproval({ id: 'b1', digest: 'd2' }));
      await store.decide({ id: 'b1', verdict: 'approve', decision: ada });
      expect((await store.get('a1', tooLate - 1))?.state.status).toBe('pending');
      expect((await store.get('a1', tooLate))?.state).toEqual({ status: 'expired', decision: undefined });
      const late = { ...ada, at: tooLate };
      expect(await store.decide({ id: 'a1', verdict: 'approve', decision: late })).toEqual({
        decided: false,
        approval: { ...newApproval(), state: { status: 'expired', decision: undefined } },
      });
      expect(await store.consume({ workspace: '/home/ada/project', digest: 'd2' }, tooLate)).toBeUndefined();
      expect((await store.get('b1', tooLate))?.state).toEqual({ status: 'expired', decision: ada });
    });

    it('stays expired when the clock steps back', async () => {
      const store = await opened(newApproval());
      await store.consume({ workspace: undefined, digest: 'none' }, tooLate);
      expect((await store.get('a1', later))?.state.status).toBe('expired');
      expect((await store.decide({ id: 'a1', verdict: 'approve', decision: ada }))?.decided).toBe(false);
    });

    it('lists what was asked for, newest first', async () => {
      const store = await opened(
        newApproval({ id: 'ab1' }),
        newApproval({ id: 'ab2', digest: 'd2', created: NOON + 1 }),
        newApproval({ id: 'b_1', digest: 'd3', created: NOON + 2, workspace: '/other' }),
        newApproval({ id: 'b%1', digest: 'd4', created: NOON + 2, expires: NOON + HOUR }),
      );
      await store.decide({ id: 'ab1', verdict: 'deny', decision: ada });
      const ids = async (filter: Parameters<ApprovalStore['list']>[0]) =>
        (await store.list(filter, later)).map(({ id }: Approval) => id);
      expect(await ids({})).toEqual(['b_1', 'b%1', 'ab2', 'ab1']);
      expect(await ids({ limit: 2 })).toEqual(['b_1', 'b%1']);
      expect(await ids({ statuses: ['pending'] })).toEqual(['b_1', 'ab2']);
      expect(await ids({ statuses: ['denied', 'expired'] })).toEqual(['b%1', 'ab1']);
      expect(await ids({ statuses: [] })).toEqual([]);
      expect(await ids({ workspace: '/other' })).toEqual(['b_1']);
      expect(await ids({ digest: 'd2' })).toEqual(['ab2']);
      expect(await ids({ idPrefix: 'ab' })).toEqual(['ab2', 'ab1']);
      expect(await ids({ idPrefix: 'b_' })).toEqual(['b_1']);
      expect(await ids({ idPrefix: 'b%' })).toEqual(['b%1']);
      expect(await ids({ idPrefix: 'AB' })).toEqual([]);
      expect(await ids({ ids: ['ab1', 'ab', 'b_1'] })).toEqual(['b_1', 'ab1']);
      expect(await ids({ ids: ['ab1', 'b_1'], statuses: ['denied'] })).toEqual(['ab1']);
      expect(await ids({ ids: [] })).toEqual([]);
    });

    it('has one winner of many that decide or use at once', async () => {
      const store = await opened(newApproval());
      const verdicts = ['approve', 'deny', 'approve', 'deny'] as const;
      const rulings = await Promise.all(
        verdicts.map((verdict, at) => store.decide({ id: 'a1', verdict, decision: { ...ada, by: `${at}` } })),
      );
      expect(rulings.filter((ruling) => ruling?.decided)).toHaveLength(1);
      await store.request(newApproval({ id: 'a2', digest: 'd2' }));
      await store.decide({ id: 'a2', verdict: 'approve', decision: ada });
      const covered = { workspace: '/home/ada/project', digest: 'd2' };
      const uses = await Promise.all(Array.from({ length: 5 }, () => store.consume(covered, later)));
      expect(uses.filter((use) => use !== undefined)).toHaveLength(1);
    });
  });
}
