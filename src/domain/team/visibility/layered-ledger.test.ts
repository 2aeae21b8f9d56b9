import { describe, expect, it } from 'vitest';
import { ledgerInMemory } from '../../../../test/stores-in-memory.ts';
import { adding, faultOf, itKeepsALedger, stamp, turning } from '../../ledger/store.contract.ts';
import { itKeepsClaims } from '../../ledger/store-claims.contract.ts';
import { itKeepsHistories } from '../../ledger/store-histories.contract.ts';
import { itKeepsPromotions } from '../../ledger/store-promotions.contract.ts';
import { itReadsALedger } from '../../ledger/store-reads.contract.ts';
import { layeredLedger } from './layered-ledger.ts';
import { layeredNear, layeredRanker } from './layered-search.ts';

function opened() {
  const [me, workspace, team] = [ledgerInMemory(), ledgerInMemory(), ledgerInMemory()];
  const ledgers = { me: me.ledger, workspace: workspace.ledger, team: team.ledger };
  const ledger = layeredLedger(ledgers);
  const rankers = [workspace.entryRanker, me.entryRanker, team.entryRanker];
  return { ledgers, ledger, entryRanker: layeredRanker(rankers, ledger) };
}

describe('a workspace in which nobody keeps anything to themselves', () => {
  const open = async () => opened();
  itKeepsALedger('in layers', open);
  itReadsALedger('in layers', open);
  itKeepsHistories('in layers', open);
  itKeepsPromotions('in layers', open);
  itKeepsClaims('in layers', open);
});

describe('a ledger in layers', () => {
  async function filled() {
    const place = opened();
    const { me, workspace, team } = place.ledgers;
    await me.add(adding('mine', 30, { text: 'kettle kettle' }));
    await workspace.add(adding('ours', 20, { text: 'kettle of the workspace' }));
    await team.add(adding('all', 40, { text: 'kettle of all' }));
    return place;
  }

  it('reads them as one, and says who sees each', async () => {
    const { ledger, entryRanker } = await filled();
    const seen = (entries: Awaited<ReturnType<typeof ledger.list>>) =>
      entries.map(({ id, visibility = 'workspace' }) => `${id} ${visibility}`);
    expect(seen(await ledger.list({ limit: 9 }))).toEqual(['all team', 'mine me', 'ours workspace']);
    expect(seen(await ledger.list({ limit: 1, offset: 1 }))).toEqual(['mine me']);
    expect(seen(await ledger.entries(['ours', 'none', 'mine']))).toEqual(['ours workspace', 'mine me']);
    expect((await ledger.current(50)).map(({ id }) => id)).toEqual(['all', 'mine', 'ours']);
    expect((await ledger.current(50, { page: { after: 'all', limit: 1 } })).map(({ id }) => id)).toEqual([
      'mine',
    ]);
    expect(await ledger.idsWith('', 2)).toEqual(['all', 'mine']);
    expect(await ledger.count(50)).toMatchObject({ active: 3, unverified: 3 });
    expect((await ledger.events()).length).toBe(3);
    const request = { query: 'kettle', filter: { limit: 9 } } as const;
    const relevant = await entryRanker.rank({ ...request, order: 'relevance' });
    expect(relevant.map(({ id }) => id).sort()).toEqual(['all', 'mine', 'ours']);
    expect(relevant.map(({ score }) => score)).toEqual(
      relevant.map(({ score }) => score).sort((a, b) => b - a),
    );
    expect((await entryRanker.rank({ ...request, order: 'recency' })).map(({ id }) => id)).toEqual([
      'all',
      'mine',
      'ours',
    ]);
  });

  it('changes each where it is, and adds to the workspace', async () => {
    const { ledger, ledgers } = await filled();
    for (const id of ['mine', 'all']) await ledger.changeStatus(turning('deprecate', id, 50));
    await ledger.add({ ...adding('mine', 60), title: 'Next', isRevision: true });
    await ledger.add(adding('new', 60));
    expect((await ledgers.me.entries(['mine']))[0]?.title).toBe('Next');
    expect((await ledgers.team.entries(['all']))[0]?.status).toBe('deprecated');
    expect((await ledgers.workspace.list({ limit: 9 })).map(({ id }) => id)).toEqual(['new', 'ours']);
    expect((await ledgers.workspace.events()).length).toBe(2);
    expect(await faultOf(ledger.changeStatus(turning('deprecate', 'none', 60)))).toBe('ledger/not-found');
  });

  it('reads the active one of two with one id, and of those the one that fewer people see', async () => {
    const { ledger, ledgers } = opened();
    await ledgers.workspace.add(adding('one', 10, { title: 'Ours' }));
    await ledgers.me.add(adding('one', 20, { title: 'Mine' }));
    expect((await ledger.entries(['one']))[0]?.title).toBe('Mine');
    expect((await ledger.versions('one'))[0]?.title).toBe('Mine');
    await ledgers.me.changeStatus(turning('deprecate', 'one', 30));
    expect((await ledger.list({ limit: 9 })).map(({ title }) => title)).toEqual(['Ours']);
    expect((await ledger.versions('one'))[0]?.title).toBe('Ours');
  });

  it('tells each ledger of its own part of a search alone', async () => {
    const { ledger, ledgers } = await filled();
    const rating = (returnedIds: string[], usedIds: string[]) => ({
      ...{ query: 'what I look for', returnedIds, usedIds },
      ...({ outcome: 'helped', source: 'manual_feedback', stamp: stamp(50) } as const),
    });
    await ledger.recordRetrieval(rating(['mine', 'ours'], ['mine']));
    expect((await ledgers.workspace.events()).at(-1)?.data).toMatchObject({
      returned_ids: ['ours'],
      used_ids: [],
    });
    expect((await ledger.entries(['mine']))[0]?.feedback).toMatchObject({ retrieved: 1, helped: 1 });
    await ledger.recordRetrieval(rating(['mine'], []));
    expect((await ledgers.workspace.events()).length).toBe(2);
    expect(await faultOf(ledger.recordRetrieval(rating(['none'], [])))).toBe('ledger/not-found');
    expect(await faultOf(ledger.recordRetrieval(rating(['ours'], ['mine'])))).toBe('ledger/invalid');
  });

  it('finds what is near in each', async () => {
    const near = (id: string, words: number) => ({ find: async () => [{ id, words, meaning: 0 }] });
    const layers = layeredNear([near('a', 0.2), near('b', 0.9), near('a', 0.1)]);
    expect(await layers.find('q', 9)).toEqual([
      { id: 'b', words: 0.9, meaning: 0 },
      { id: 'a', words: 0.2, meaning: 0 },
    ]);
    expect((await layers.find('q', 1)).map(({ id }) => id)).toEqual(['b']);
  });
});
