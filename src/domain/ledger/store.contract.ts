import { describe, expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import type { AddRequest } from './plans/plan-add.ts';
import type { StatusRequest } from './plans/plan-status.ts';
import type { EntryRanker } from './search/entry-ranker.ts';
import type { LedgerStore } from './store.ts';

const LIFETIMES = { ephemeral_days: 7, decay_days: 30 };
let events = 0;
export const stamp = (at: number) => ({ eventId: `E${++events}`, at, actor: 'ada', run: 'run-1' });

/** An add of `id` at second `at`. */
export function adding(id: string, at: number, given: Partial<AddRequest> = {}): AddRequest {
  return {
    id,
    title: `About ${id}`,
    text: `What ${id} says.`,
    textSha256: 'none',
    citations: [{ provenance: 'cmd:manual', sha256: undefined }],
    claimId: undefined,
    mergeKey: undefined,
    onConflict: 'merge',
    status: undefined,
    ttlPolicy: undefined,
    expires: undefined,
    tags: [],
    labels: [],
    lifetimes: LIFETIMES,
    permit: undefined,
    stamp: stamp(at),
    ...given,
  };
}

export const turning = (action: StatusRequest['action'], id: string, at: number): StatusRequest => ({
  id,
  action,
  reason: undefined,
  lifetimes: LIFETIMES,
  stamp: stamp(at),
});
const decaying = (asOf: number, at: number, dryRun = false) => ({ asOf, dryRun, stamp: stamp(at) });

export const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : error),
  );

export interface OpenedLedger {
  readonly ledger: LedgerStore;
  readonly entryRanker: EntryRanker;
}

export function itKeepsALedger(name: string, open: () => Promise<OpenedLedger>): void {
  describe(`ledger store: ${name}`, () => {
    it('inserts, and answers the entry as it was given', async () => {
      const { ledger } = await open();
      const labels = [{ kind: 'set', key: 'team', value: 'garden' }] as const;
      const given = { claimId: 'c1', mergeKey: 'k', tags: ['b', 'a', 'b'], labels };
      expect(await ledger.add(adding('one', 10, given))).toEqual({
        id: 'one',
        action: 'inserted',
        supersededIds: [],
      });
      expect(await ledger.entries(['none', 'one'])).toEqual([
        {
          id: 'one',
          version: 1,
          createdAt: 10,
          writtenAt: 10,
          updatedAt: 10,
          title: 'About one',
          text: 'What one says.',
          provenance: 'cmd:manual',
          claimId: 'c1',
          mergeKey: 'k',
          status: 'active',
          ttlPolicy: 'persistent',
          expires: undefined,
          supersedes: undefined,
          tags: ['a', 'b'],
          labels: new Map([['team', 'garden']]),
          citations: [
            {
              provenance: 'cmd:manual',
              sha256: undefined,
              version: 1,
              citedAt: 10,
              citedBy: 'ada',
              verified: undefined,
            },
          ],
          supersededBy: undefined,
          feedback: { retrieved: 0, helped: 0, hurt: 0 },
        },
      ]);
    });

    it('refuses an id that is taken, and changes nothing', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10));
      expect(await faultOf(ledger.add(adding('one', 11)))).toBe('ledger/exists');
      expect((await ledger.versions('one')).length).toBe(1);
      expect((await ledger.events()).length).toBe(1);
    });

    it('merges into the holder of the key: history stays, citations gather, claim and expiry survive', async () => {
      const { ledger } = await open();
      const first = { mergeKey: 'k', claimId: 'c1', ttlPolicy: 'decay', expires: 500, tags: ['a'] } as const;
      await ledger.add(adding('one', 10, first));
      const citations = [{ provenance: 'url:x', sha256: undefined }] as const;
      const second = { mergeKey: 'k', text: 'Newer.', tags: ['b'], citations };
      expect(await ledger.add(adding('two', 20, second))).toEqual({
        id: 'one',
        action: 'merged',
        supersededIds: [],
      });
      const [merged] = await ledger.entries(['one']);
      expect(merged).toMatchObject({
        version: 2,
        createdAt: 10,
        updatedAt: 20,
        writtenAt: 20,
        text: 'Newer.',
        provenance: 'url:x',
        claimId: 'c1',
        ttlPolicy: 'decay',
        expires: 500,
        tags: ['a', 'b'],
      });
      expect(merged?.citations.map(({ provenance, version }) => [provenance, version])).toEqual([
        ['cmd:manual', 1],
        ['url:x', 2],
      ]);
      expect((await ledger.versions('one')).map(({ text }) => text)).toEqual(['What one says.', 'Newer.']);
      expect(await ledger.entries(['two'])).toEqual([]);
    });

    it('supersedes: the old one is retired and the chain can be walked', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k' }));
      expect(await ledger.add(adding('two', 20, { mergeKey: 'k', onConflict: 'supersede' }))).toEqual({
        id: 'two',
        action: 'superseded',
        supersededIds: ['one'],
      });
      expect(await ledger.entries(['one', 'two'])).toMatchObject([
        { status: 'superseded', supersededBy: 'two' },
        { status: 'active', supersedes: 'one' },
      ]);
    });

    it('has no successor once it is restored, and a new one when it is superseded again', async () => {
      const { ledger } = await open();
      const over = (id: string, at: number) => adding(id, at, { mergeKey: 'k', onConflict: 'supersede' });
      await ledger.add(over('one', 10));
      await ledger.add(over('two', 20));
      await ledger.changeStatus(turning('deprecate', 'two', 30));
      expect(await ledger.changeStatus(turning('restore', 'one', 31))).toMatchObject({
        status: 'active',
        supersededBy: undefined,
      });
      expect(await ledger.add(over('three', 40))).toMatchObject({ supersededIds: ['one'] });
      const successors = async (at?: number) =>
        (await ledger.entries(['one'], at)).map(({ supersededBy }) => supersededBy);
      expect([await successors(29), await successors(31), await successors()]).toEqual([
        ['two'],
        [undefined],
        ['three'],
      ]);
    });

    it('does not merge with a status that is not active, and changes nothing', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k' }));
      expect(await faultOf(ledger.add(adding('two', 20, { mergeKey: 'k', status: 'stale' })))).toBe(
        'ledger/invalid',
      );
      expect(await ledger.entries(['one', 'two'])).toMatchObject([{ status: 'active', version: 1 }]);
    });

    it.each([
      ['its own id', { id: 'one' }, 'ledger/conflict'],
      ['a status that is not active', { id: 'two', status: 'stale' as const }, 'ledger/invalid'],
      ['an id that is taken', { id: 'other' }, 'ledger/exists'],
    ])('does not supersede with %s, and changes nothing', async (_, given, code) => {
      const { ledger } = await open();
      await ledger.add(adding('other', 9));
      await ledger.add(adding('one', 10, { mergeKey: 'k' }));
      const request = adding(given.id, 20, { mergeKey: 'k', onConflict: 'supersede', ...given });
      expect(await faultOf(ledger.add(request))).toBe(code);
      expect(await ledger.entries(['one', 'two'])).toMatchObject([{ status: 'active', version: 1 }]);
      expect((await ledger.events()).length).toBe(2);
    });

    it('rejects a key that is held, unless its holder has expired', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k', ttlPolicy: 'decay', expires: 100 }));
      const late = (at: number) => adding('two', at, { mergeKey: 'k', onConflict: 'reject' });
      expect(await faultOf(ledger.add(late(99)))).toBe('ledger/conflict');
      expect(await ledger.add(late(100))).toMatchObject({ id: 'two', action: 'inserted' });
      expect(await ledger.entries(['one', 'two'])).toMatchObject([{ status: 'stale' }, { status: 'active' }]);
    });

    it('gives what expired a new life when something is merged into it', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k', ttlPolicy: 'ephemeral', expires: 100 }));
      await ledger.add(adding('two', 200, { mergeKey: 'k' }));
      expect(await ledger.entries(['one'])).toMatchObject([{ expires: 200 + 7 * 86_400, status: 'active' }]);
    });

    it('reads every moment as it was', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k' }));
      await ledger.add(adding('x', 20, { mergeKey: 'k', text: 'Second.' }));
      await ledger.add(adding('two', 30, { mergeKey: 'k', onConflict: 'supersede' }));
      await ledger.changeStatus(turning('deprecate', 'two', 30));
      const at = async (second: number) =>
        (await ledger.entries(['one', 'two'], second)).map(({ id, status, text, supersededBy }) =>
          [id, status, text, supersededBy].join(' '),
        );
      expect(await at(9)).toEqual([]);
      expect(await at(19)).toEqual(['one active What one says. ']);
      expect(await at(29)).toEqual(['one active Second. ']);
      expect(await at(30)).toEqual(['one superseded Second. two', 'two deprecated What two says. ']);
    });

    it('takes no step back when the clock does', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 100));
      await ledger.changeStatus(turning('deprecate', 'one', 50));
      expect(await ledger.entries(['one'])).toMatchObject([{ createdAt: 100, updatedAt: 100, version: 2 }]);
    });

    it('deprecates and restores, never into a key that is held', async () => {
      const { ledger } = await open();
      await ledger.add(adding('one', 10, { mergeKey: 'k' }));
      expect(await ledger.changeStatus(turning('deprecate', 'one', 11))).toMatchObject({
        status: 'deprecated',
      });
      expect(await faultOf(ledger.changeStatus(turning('deprecate', 'one', 12)))).toBe('ledger/conflict');
      await ledger.add(adding('two', 13, { mergeKey: 'k' }));
      expect(await faultOf(ledger.changeStatus(turning('restore', 'one', 14)))).toBe('ledger/conflict');
      await ledger.changeStatus(turning('deprecate', 'two', 15));
      expect(await ledger.changeStatus(turning('restore', 'one', 16))).toMatchObject({ status: 'active' });
      expect(await faultOf(ledger.changeStatus(turning('restore', 'none', 16)))).toBe('ledger/not-found');
    });

    it('marks what expired, tells only in a dry run, and restores with a new life', async () => {
      const { ledger } = await open();
      await ledger.add(adding('b', 10, { ttlPolicy: 'ephemeral', expires: 100 }));
      await ledger.add(adding('a', 10, { ttlPolicy: 'decay', expires: 99 }));
      await ledger.add(adding('c', 10, { ttlPolicy: 'decay' }));
      await ledger.add(adding('d', 10));
      expect(await ledger.decay(decaying(100, 200, true))).toEqual(['a', 'b']);
      expect(await ledger.entries(['a'])).toMatchObject([{ status: 'active', version: 1 }]);
      expect(await ledger.decay(decaying(100, 200))).toEqual(['a', 'b']);
      expect(await ledger.decay(decaying(100, 201))).toEqual([]);
      expect(await ledger.entries(['a', 'c'])).toMatchObject([
        { status: 'stale', updatedAt: 200 },
        { status: 'active', expires: 10 + 30 * 86_400 },
      ]);
      expect(
        (await ledger.events()).slice(4).map(({ type, data }) => [type, data.dry_run, data.stale_ids]),
      ).toEqual([
        ['decay', true, ['a', 'b']],
        ['decay', false, ['a', 'b']],
        ['decay', false, []],
      ]);
      expect(await ledger.changeStatus(turning('restore', 'a', 300))).toMatchObject({
        status: 'active',
        expires: 300 + 30 * 86_400,
      });
      // What has expired can be restored before anybody has marked it.
      const late = 10 + 30 * 86_400;
      expect(await faultOf(ledger.changeStatus(turning('restore', 'c', late - 1)))).toBe('ledger/conflict');
      expect(await ledger.changeStatus(turning('restore', 'c', late))).toMatchObject({
        status: 'active',
        expires: late + 30 * 86_400,
      });
    });

    it('counts feedback for what was used, and refuses ids that are not there', async () => {
      const { ledger } = await open();
      for (const id of ['a', 'b']) await ledger.add(adding(id, 10));
      const said = { query: 'q', outcome: 'helped', source: 'invocation' } as const;
      const log = (returnedIds: string[], usedIds: string[]) =>
        ledger.recordRetrieval({ ...said, returnedIds, usedIds, stamp: stamp(20) });
      await log(['a', 'b'], ['a']);
      expect(await faultOf(log(['a'], ['b']))).toBe('ledger/invalid');
      expect(await faultOf(log(['a', 'none'], []))).toBe('ledger/not-found');
      expect((await ledger.entries(['a', 'b'])).map(({ feedback }) => feedback)).toEqual([
        { retrieved: 1, helped: 1, hurt: 0 },
        { retrieved: 1, helped: 0, hurt: 0 },
      ]);
      expect((await ledger.events('b')).map(({ type }) => type)).toEqual(['add', 'retrieval']);
    });

    it('remembers verdicts, and rewrites a citation that is fixed as a new version', async () => {
      const { ledger } = await open();
      const citations = [
        { provenance: 'file:a#L1', sha256: 'h' },
        { provenance: 'cmd:x', sha256: undefined },
      ] as const;
      await ledger.add(adding('a', 10, { citations }));
      const unchecked = {
        id: 'a',
        provenance: 'cmd:x',
        verdict: 'unchecked',
        movedTo: undefined,
        reason: 'commands are not run again',
        isFixed: false,
      } as const;
      const place = { provenance: 'file:a#L1', movedTo: 'file:a#L2' };
      const moved = { id: 'a', ...place, verdict: 'moved', reason: undefined } as const;
      const after = async () => {
        const [entry] = await ledger.entries(['a']);
        return [
          entry?.version,
          entry?.provenance,
          entry?.citations.map((each) => [each.provenance, each.verified]),
        ];
      };
      await ledger.recordVerdicts({ checked: [{ ...moved, isFixed: false }, unchecked], stamp: stamp(20) });
      const looked = ['cmd:x', { verdict: 'unchecked', at: 20 }];
      expect(await after()).toEqual([1, 'file:a#L1', [['file:a#L1', { verdict: 'moved', at: 20 }], looked]]);
      await ledger.recordVerdicts({ checked: [{ ...moved, isFixed: true }], stamp: stamp(30) });
      expect(await after()).toEqual([2, 'file:a#L2', [['file:a#L2', { verdict: 'ok', at: 30 }], looked]]);
      const then = async (at: number) =>
        (await ledger.entries(['a'], at))[0]?.citations.map((each) => [each.provenance, each.verified]);
      expect(await then(19)).toEqual([
        ['file:a#L1', undefined],
        ['cmd:x', undefined],
      ]);
      expect(await then(29)).toEqual([['file:a#L1', { verdict: 'moved', at: 20 }], looked]);
      const lives = (await ledger.citations('a')).map((each) => [each.provenance, each.version, each.until]);
      expect(lives).toEqual([
        ['file:a#L1', 1, 2],
        ['file:a#L2', 2, undefined],
        ['cmd:x', 1, undefined],
      ]);
      expect((await ledger.events('a')).map(({ type }) => type)).toEqual(['add', 'verify', 'verify']);
    });

    it('cites again: the place stays, what it cites now counts, and what was found about the old is over', async () => {
      const { ledger } = await open();
      const citing = (sha256: string | undefined) => ({
        mergeKey: 'k',
        citations: [{ provenance: 'file:a', sha256 }] as const,
      });
      await ledger.add(adding('a', 10, citing('h1')));
      const missing = { id: 'a', provenance: 'file:a', verdict: 'missing', movedTo: undefined } as const;
      await ledger.recordVerdicts({
        checked: [{ ...missing, reason: undefined, isFixed: false }],
        stamp: stamp(20),
      });
      const cited = async (at?: number) =>
        (await ledger.entries(['a'], at))[0]?.citations.map((each) => [each.sha256, each.verified?.verdict]);
      await ledger.add(adding('x', 30, citing(undefined)));
      expect(await cited()).toEqual([['h1', 'missing']]);
      await ledger.add(adding('x', 40, citing('h2')));
      expect([await cited(), await cited(39)]).toEqual([[['h2', undefined]], [['h1', 'missing']]]);
    });
  });
}
