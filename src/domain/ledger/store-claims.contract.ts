import { describe, expect, it } from 'vitest';
import { adding, type OpenedLedger, stamp } from './store.contract.ts';

export function itKeepsClaims(name: string, open: () => Promise<OpenedLedger>): void {
  describe(`claims: ${name}`, () => {
    const stating = (id: string, text: string, at: number) => ({ id, text, stamp: stamp(at) });

    it('states a claim, in new words again, and says nothing twice', async () => {
      const { ledger } = await open();
      expect(await ledger.stateClaim(stating('b', 'One.', 10))).toEqual({ id: 'b', action: 'stated' });
      expect(await ledger.stateClaim(stating('b', 'One.', 11))).toEqual({ id: 'b', action: 'unchanged' });
      expect(await ledger.stateClaim(stating('b', 'Two.', 12))).toEqual({ id: 'b', action: 'restated' });
      await ledger.stateClaim(stating('a', 'Other.', 13));
      expect(await ledger.claims(20)).toEqual([
        {
          id: 'a',
          stated: { id: 'a', text: 'Other.', statedAt: 13, statedBy: 'ada' },
          ...{ supports: 0, contradicts: 0, mentions: 0 },
        },
        {
          id: 'b',
          stated: { id: 'b', text: 'Two.', statedAt: 12, statedBy: 'ada' },
          ...{ supports: 0, contradicts: 0, mentions: 0 },
        },
      ]);
      const events = await ledger.events('claim=b');
      expect(events.map(({ at, type, changes }) => [at, type, changes])).toEqual([
        [10, 'claim', [{ id: 'claim=b', text: 'One.' }]],
        [12, 'claim', [{ id: 'claim=b', text: 'Two.' }]],
      ]);
    });

    it('counts the entries in force on each side, also where nobody has stated the claim', async () => {
      const { ledger } = await open();
      const about = (claimId: string, claimStance?: 'supports' | 'contradicts') => ({ claimId, claimStance });
      await ledger.stateClaim(stating('c', 'A claim.', 5));
      await ledger.add(adding('one', 10, about('c', 'supports')));
      await ledger.add(adding('two', 10, about('c', 'supports')));
      await ledger.add(
        adding('three', 10, { ...about('c', 'contradicts'), ttlPolicy: 'decay', expires: 50 }),
      );
      await ledger.add(adding('four', 10, { ...about('c', 'contradicts'), status: 'deprecated' }));
      await ledger.add(adding('five', 10, about('c')));
      await ledger.add(adding('six', 10, about('free text')));
      const sides = async (at: number, ids?: string[]) =>
        (await ledger.claims(at, ids)).map(({ id, stated, ...counts }) => [
          id,
          stated?.text,
          ...Object.values(counts),
        ]);
      expect(await sides(20)).toEqual([
        ['c', 'A claim.', 2, 1, 1],
        ['free text', undefined, 0, 0, 1],
      ]);
      expect(await sides(50, ['c', 'nothing'])).toEqual([['c', 'A claim.', 2, 0, 1]]);
      expect((await ledger.entries(['three', 'five'])).map(({ claimStance }) => claimStance)).toEqual([
        'contradicts',
        undefined,
      ]);
    });

    it('keeps the side of an entry through its versions until another claim is given', async () => {
      const { ledger } = await open();
      const key = { mergeKey: 'k' };
      await ledger.add(adding('one', 10, { ...key, claimId: 'c', claimStance: 'supports' }));
      await ledger.add(adding('none', 11, key));
      await ledger.add(adding('none', 12, { ...key, claimId: 'c', claimStance: 'contradicts' }));
      await ledger.add(adding('none', 13, { ...key, claimId: 'd' }));
      const versions = await ledger.versions('one');
      expect(versions.map(({ claimId, claimStance }) => [claimId, claimStance])).toEqual([
        ['c', 'supports'],
        ['c', 'supports'],
        ['c', 'contradicts'],
        ['d', undefined],
      ]);
      const changed = (await ledger.events('one')).map(({ changes: [change] }) => change?.claim_stance);
      expect(changed).toEqual(['supports', undefined, 'contradicts', null]);
    });
  });
}
