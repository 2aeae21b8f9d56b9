import { describe, expect, it } from 'vitest';
import type { StandingApproval, StandingApprovals } from './standing-approval.ts';

const NOON = Date.UTC(2030, 0, 1, 12);

export function standingApproval(given: Partial<StandingApproval> = {}): StandingApproval {
  return {
    id: 's1',
    workspace: '/w',
    conversation: 'c1',
    terminal: 'session=1@2',
    tool: 'git-log',
    covers: 'git log {{count}}, with any values',
    digest: 'd1',
    created: NOON,
    expires: NOON + 1000,
    decision: { by: 'ada', at: NOON, through: 'terminal' },
    ...given,
  };
}

/** The promises of `StandingApprovals`; every adapter's test file calls this once. */
export function itKeepsStandingApprovals(name: string, open: () => Promise<StandingApprovals>): void {
  describe(`${name} as StandingApprovals`, () => {
    it('finds one by workspace, conversation, terminal and digest, all of them', async () => {
      const store = await open();
      await store.add(standingApproval());
      const found = (given: Partial<StandingApproval>) => store.find(standingApproval(given), NOON);
      expect(await found({})).toEqual(standingApproval());
      for (const other of ['workspace', 'conversation', 'terminal', 'digest'])
        expect(await found({ [other]: 'other' })).toBeUndefined();
    });

    it('neither finds nor lists one before it was given, or once it is over', async () => {
      const store = await open();
      await store.add(standingApproval());
      for (const now of [NOON - 1, NOON + 1000]) {
        expect(await store.find(standingApproval(), now)).toBeUndefined();
        expect(await store.list(now)).toEqual([]);
      }
      expect(await store.list(NOON + 999)).toEqual([standingApproval()]);
    });

    it('lists the newest first', async () => {
      const store = await open();
      await store.add(standingApproval());
      await store.add(standingApproval({ id: 's2', created: NOON + 1 }));
      expect((await store.list(NOON + 2)).map(({ id }) => id)).toEqual(['s2', 's1']);
    });

    it('forgets what is revoked, once', async () => {
      const store = await open();
      await store.add(standingApproval());
      const revoked = { by: 'ada', at: NOON };
      expect(await store.revoke('other', revoked)).toBe(false);
      expect(await store.revoke('s1', revoked)).toBe(true);
      expect(await store.revoke('s1', revoked)).toBe(false);
      expect(await store.find(standingApproval(), NOON)).toBeUndefined();
    });
  });
}
