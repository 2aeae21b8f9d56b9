import { describe, expect, it } from 'vitest';
import type { AccessStore } from './access-store.ts';

const TOKEN = {
  id: 't1',
  hash: 'hash-1',
  person: 'ada',
  scopes: ['read', 'write'],
  workspace: undefined,
  created: 10,
  expires: 100,
  revoked: undefined,
} as const;
const SESSION = { hash: 's1', workspace: 'garden', formToken: 'f', expires: 100 } as const;

/** `open` makes an empty store. */
export function itKeepsAccess(name: string, open: () => Promise<AccessStore>): void {
  describe(`access: ${name}`, () => {
    it('knows a token until it expires or is revoked, by its hash alone', async () => {
      const store = await open();
      await store.putToken(TOKEN);
      await store.putToken({ ...TOKEN, id: 't2', hash: 'hash-2', workspace: 'garden', created: 20 });
      const { hash: _, ...kept } = TOKEN;
      expect(await store.tokenBy('hash-1', 99)).toEqual(kept);
      expect(await store.tokenBy('hash-1', 100)).toBeUndefined();
      expect(await store.tokenBy('t1', 50)).toBeUndefined();
      expect(await store.revokeToken('t1', 50)).toBe(true);
      expect(await store.revokeToken('t1', 51)).toBe(false);
      expect(await store.tokenBy('hash-1', 60)).toBeUndefined();
      expect((await store.tokens()).map(({ id, revoked }) => [id, revoked])).toEqual([
        ['t2', undefined],
        ['t1', 50],
      ]);
    });

    it('keeps members, and ends what somebody had who is none any more', async () => {
      const store = await open();
      await store.putMember({ workspace: 'garden', person: 'ada', scopes: ['read'] });
      await store.putMember({ workspace: 'garden', person: 'ada', scopes: ['read', 'approve'] });
      await store.putMember({ workspace: 'kitchen', person: 'bob', scopes: ['read'] });
      expect(await store.members({ person: 'ada' })).toEqual([
        { workspace: 'garden', person: 'ada', scopes: ['read', 'approve'] },
      ]);
      expect((await store.members({})).length).toBe(2);
      await store.putToken({ ...TOKEN, workspace: 'garden' });
      await store.putSession({ ...SESSION, person: 'ada' });
      expect(await store.removeMember('garden', 'ada', 50)).toBe(true);
      expect(await store.removeMember('garden', 'ada', 50)).toBe(false);
      expect(await store.tokenBy('hash-1', 50)).toBeUndefined();
      expect(await store.sessionBy('s1', 50)).toBeUndefined();
      expect(await store.members({ workspace: 'garden' })).toEqual([]);
    });

    it('lets a login in once, also when two come at the same time', async () => {
      const store = await open();
      await store.putLogin({ hash: 'l', person: 'ada', expires: 20 });
      expect([await store.isLoginOpen('l', 19), await store.isLoginOpen('l', 20)]).toEqual([true, false]);
      expect(await store.redeemLogin('l', SESSION, 20)).toBeUndefined();
      const both = await Promise.all(
        ['a', 'b'].map((hash) => store.redeemLogin('l', { ...SESSION, hash }, 19)),
      );
      expect(both.filter((person) => person === 'ada').length).toBe(1);
      const sessions = await Promise.all(['a', 'b'].map((hash) => store.sessionBy(hash, 50)));
      expect(sessions.filter((session) => session !== undefined).length).toBe(1);
    });

    it('keeps sessions with the workspace that they show, until they end', async () => {
      const store = await open();
      await store.putSession({ ...SESSION, person: 'ada' });
      await store.chooseWorkspace('s1', 'kitchen');
      expect(await store.sessionBy('s1', 99)).toEqual({
        id: 's1',
        person: 'ada',
        workspace: 'kitchen',
        formToken: 'f',
        expires: 100,
      });
      expect(await store.sessionBy('s1', 100)).toBeUndefined();
      await store.endSessions('ada');
      expect(await store.sessionBy('s1', 99)).toBeUndefined();
    });

    it('gives a sign-in back once', async () => {
      const store = await open();
      const state = { verifier: 'v', nonce: 'n', expires: 20 };
      await store.putSignIn({ hash: 'x', ...state });
      expect(await store.takeSignIn('x', 20)).toBeUndefined();
      expect(await store.takeSignIn('x', 10)).toEqual(state);
      expect(await store.takeSignIn('x', 10)).toBeUndefined();
    });

    it('records acts, newest first, and forgets what is old', async () => {
      const store = await open();
      const act = {
        person: 'ada',
        channel: 'token',
        via: 't1',
        origin: '::1',
        workspace: 'garden',
        act: 'x',
      };
      await store.record({ ...act, at: 1, outcome: 'denied' });
      await store.record({ ...act, at: 5, outcome: 'done' });
      await store.record({ ...act, at: 6, person: 'bob', outcome: 'done' });
      expect((await store.audit({ limit: 2 })).map(({ at }) => at)).toEqual([6, 5]);
      expect((await store.audit({ limit: 9, person: 'ada' })).map(({ at }) => at)).toEqual([5, 1]);
      await store.sweep(11, 9);
      expect((await store.audit({ limit: 9 })).map(({ at }) => at)).toEqual([6, 5]);
    });
  });
}
