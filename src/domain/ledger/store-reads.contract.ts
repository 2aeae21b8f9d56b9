import { describe, expect, it } from 'vitest';
import { adding, type OpenedLedger, stamp } from './store.contract.ts';
import { EMPTY_LEDGER, type LedgerReader } from './store.ts';

export function itReadsALedger(name: string, open: () => Promise<OpenedLedger>): void {
  describe(`reading a ledger: ${name}`, () => {
    it('answers like no ledger while it is empty', async () => {
      const { ledger } = await open();
      const answers = async (reader: LedgerReader) => [
        await reader.entries(['a']),
        await reader.list({ limit: 10 }),
        await reader.current(10),
        await reader.revision(10),
        await reader.count(10),
        await reader.versions('a'),
        await reader.citations('a'),
        await reader.events(),
        await reader.idsWith('a', 9),
        await reader.hasEvent('a'),
        await reader.promotions(['a']),
      ];
      expect(await answers(ledger)).toEqual(await answers(EMPTY_LEDGER));
    });

    it('finds ids by a part of them, in any case, sorted and no more than asked for', async () => {
      const { ledger } = await open();
      for (const id of ['b-One', 'a-one', 'c_two']) await ledger.add(adding(id, 10));
      expect(await ledger.idsWith('ONE', 9)).toEqual(['a-one', 'b-One']);
      expect(await ledger.idsWith('one', 1)).toEqual(['a-one']);
      // Not a pattern.
      expect(await ledger.idsWith('c%', 9)).toEqual([]);
      expect(await ledger.idsWith('c_', 9)).toEqual(['c_two']);
    });

    it('lists by filter, newest first', async () => {
      const { ledger } = await open();
      const team = (value: string) => [{ kind: 'set', key: 'team', value }] as const;
      await ledger.add(adding('a', 10, { tags: ['x', 'y'], labels: team('red') }));
      await ledger.add(adding('b', 10, { tags: ['x'], labels: team('blue'), claimId: 'c' }));
      await ledger.add(adding('c', 20, { status: 'stale', mergeKey: 'k', ttlPolicy: 'decay', expires: 50 }));
      const ids = async (filter: object) => (await ledger.list({ limit: 10, ...filter })).map(({ id }) => id);
      expect(await ids({})).toEqual(['c', 'a', 'b']);
      expect(await ids({ limit: 1, offset: 1 })).toEqual(['a']);
      expect(await ids({ after: { createdAt: 20, id: 'c' } })).toEqual(['a', 'b']);
      expect(await ids({ after: { createdAt: 10, id: 'a' }, statuses: ['active'] })).toEqual(['b']);
      expect(await ids({ after: { createdAt: 10, id: 'b' } })).toEqual([]);
      expect(await ids({ tags: ['x', 'y'] })).toEqual(['a']);
      expect(await ids({ labels: [{ kind: 'equals', key: 'team', value: 'red' }] })).toEqual(['a']);
      expect(await ids({ labels: [{ kind: 'differs', key: 'team', value: 'red' }] })).toEqual(['c', 'b']);
      expect(await ids({ labels: [{ kind: 'in', key: 'team', values: ['red', 'blue'] }] })).toEqual([
        'a',
        'b',
      ]);
      expect(await ids({ labels: [{ kind: 'not-in', key: 'team', values: ['red'] }] })).toEqual(['c', 'b']);
      expect(await ids({ labels: [{ kind: 'absent', key: 'team' }] })).toEqual(['c']);
      expect(await ids({ labels: [{ kind: 'present', key: 'team' }] })).toEqual(['a', 'b']);
      expect(await ids({ claimId: 'c' })).toEqual(['b']);
      expect(await ids({ mergeKey: 'k' })).toEqual(['c']);
      expect(await ids({ statuses: ['active', 'superseded'] })).toEqual(['a', 'b']);
      expect(await ids({ createdFrom: 10, createdTo: 19 })).toEqual(['a', 'b']);
      expect(await ids({ unexpiredAt: 50 })).toEqual(['a', 'b']);
      expect(await ids({ at: 19 })).toEqual(['a', 'b']);
      const first = { provenance: 'file:docs/a.md#L3', sha256: 'h' };
      const other = { provenance: 'file:docs/%_b', sha256: 'h' };
      await ledger.add(adding('d', 30, { citations: [first, other] }));
      await ledger.add(adding('e', 31, { citations: [first] }));
      expect(await ids({ cites: 'file:docs/a.md' })).toEqual(['e', 'd']);
      expect(await ids({ cites: 'file:docs/%' })).toEqual(['d']);
      expect(await ids({ cites: 'docs/a.md' })).toEqual([]);
    });

    it('tells what is in force, whether that is still so, and counts', async () => {
      const { ledger } = await open();
      expect([await ledger.revision(10), await ledger.current(10)]).toEqual(['', []]);
      const citations = [{ provenance: 'file:a', sha256: 'h' }] as const;
      await ledger.add(adding('b', 10, { mergeKey: 'k', citations }));
      await ledger.add(adding('a', 10, { ttlPolicy: 'decay', expires: 50 }));
      await ledger.add(adding('c', 10, { status: 'deprecated' }));
      const ids = async (at: number) => (await ledger.current(at)).map(({ id }) => id);
      expect(await ids(49)).toEqual(['a', 'b']);
      expect(await ids(50)).toEqual(['b']);
      const pageAfter = async (after: string) =>
        (await ledger.current(49, { page: { after, limit: 1 } })).map(({ id }) => id);
      expect([await pageAfter(''), await pageAfter('a'), await pageAfter('b')]).toEqual([['a'], ['b'], []]);
      const [before, hashes] = [await ledger.revision(49), await ledger.current(49)];
      expect([await ledger.revision(11), await ledger.current(11)]).toEqual([before, hashes]);
      expect(await ledger.revision(50)).not.toBe(before);
      await ledger.add(adding('x', 20, { mergeKey: 'k', text: 'Newer.' }));
      expect(await ledger.revision(49)).not.toBe(before);
      const changed = (await ledger.current(49)).map(({ hash }, at) => hash !== hashes[at]?.hash);
      expect(changed).toEqual([false, true]);
      expect(await ledger.count(49)).toEqual({ active: 2, expired: 0, doubtful: 0, unverified: 2 });
      const finding = {
        id: 'b',
        provenance: 'file:a',
        movedTo: undefined,
        reason: undefined,
        isFixed: false,
      };
      const checked = [
        { ...finding, verdict: 'changed' as const },
        { ...finding, provenance: 'cmd:manual', verdict: 'unchecked' as const },
      ];
      await ledger.recordVerdicts({ checked, stamp: stamp(30) });
      expect(await ledger.count(50)).toEqual({ active: 2, expired: 1, doubtful: 1, unverified: 1 });
    });

    it('finds by words of title, tags, text and provenance, whole or in parts, and nothing by nothing', async () => {
      const { ledger, entryRanker } = await open();
      const provenance = [{ provenance: 'file:docs/harbour.md', sha256: undefined }] as const;
      await ledger.add(adding('a', 10, { title: 'Deploying', text: 'Call parseHttpHeader first.' }));
      await ledger.add(adding('b', 20, { title: 'Tea', text: 'École and 東京都.', tags: ['kettle'] }));
      await ledger.add(
        adding('c', 30, { title: 'Boats', text: 'Old words.', citations: provenance, mergeKey: 'k' }),
      );
      await ledger.add(adding('d', 40, { title: 'Boats', text: 'New words.', mergeKey: 'k' }));
      const find = async (query: string, filter = {}, order: 'relevance' | 'recency' = 'relevance') =>
        (await entryRanker.rank({ query, order, filter: { limit: 9, ...filter } })).map(({ id }) => id);
      expect(await find('deploying')).toEqual(['a']);
      expect(await find('header')).toEqual(['a']);
      expect(await find('kettle')).toEqual(['b']);
      expect(await find('東京')).toEqual(['b']);
      expect(await find('harbour')).toEqual([]);
      expect(await find('harbour old', { at: 39 })).toEqual(['c']);
      expect(await find('words kettle', {}, 'recency')).toEqual(['c', 'b']);
      for (const query of ['', '  ', '%', '_', '"', '*', '(', '-', '🙂', '\0'])
        expect(await find(query)).toEqual([]);
      expect(await find('kettle AND NEAR( "x* -')).toEqual(['b']);
      expect([await find('deployed'), await find('Deploys')]).toEqual([['a'], ['a']]);
      expect([await find('ecole'), await find('ÉCOLES'), await find('京')]).toEqual([['b'], ['b'], ['b']]);
      expect([await find('parsehttpheader'), await find('parse_http')]).toEqual([['a'], ['a']]);
      expect(await find(`kettle ${'x '.repeat(50_000)}`)).toEqual(['b']);
    });

    it('understands beginnings, exclusions and phrases, as every search does', async () => {
      const { ledger, entryRanker } = await open();
      await ledger.add(adding('a', 10, { title: 'Tea', text: 'The kettle is on the second floor.' }));
      await ledger.add(
        adding('b', 20, { title: 'Water', text: 'The second kettle is loud.', tags: ['hot'] }),
      );
      const find = async (query: string) =>
        (await entryRanker.rank({ query, order: 'recency', filter: { limit: 9 } })).map(({ id }) => id);
      expect([await find('sec*'), await find('lou*')]).toEqual([['b', 'a'], ['b']]);
      expect([await find('kettle -loud'), await find('kettle -"second floor"')]).toEqual([['a'], ['b']]);
      expect([await find('"second kettle"'), await find('"kettle second"')]).toEqual([['b'], []]);
      expect(await find('"second floor" "the kettle"')).toEqual(['a']);
      expect(await find('the')).toEqual(['b', 'a']);
      expect(await find('what is the floor')).toEqual(['a']);
    });
  });
}
