import { describe, expect, it } from 'vitest';
import { ledgerInMemory } from '../../../../test/stores-in-memory.ts';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { adding, itKeepsALedger } from '../../../domain/ledger/store.contract.ts';
import { itKeepsClaims } from '../../../domain/ledger/store-claims.contract.ts';
import { itKeepsHistories } from '../../../domain/ledger/store-histories.contract.ts';
import { itKeepsPromotions } from '../../../domain/ledger/store-promotions.contract.ts';
import { itReadsALedger } from '../../../domain/ledger/store-reads.contract.ts';
import { postgresEntryRanker } from './entry-ranker.ts';
import { postgresLedgerStore } from './ledger-store.ts';

describe.skipIf(postgresProblem() !== undefined)('the ledger of a team', () => {
  const shared = sharedDatabase();
  const opened = async (tenant = newTenant()) => {
    const database = await shared.database();
    return {
      ledger: postgresLedgerStore(database, tenant),
      entryRanker: postgresEntryRanker(database, tenant),
    };
  };
  itKeepsALedger('PostgreSQL', opened);
  itReadsALedger('PostgreSQL', opened);
  itKeepsHistories('PostgreSQL', opened);
  itKeepsPromotions('PostgreSQL', opened);
  itKeepsClaims('PostgreSQL', opened);

  it('shows nothing to another team, nor to another workspace of the team', async () => {
    const tenant = newTenant();
    const { ledger } = await opened(tenant);
    await ledger.add(adding('one', 10, { mergeKey: 'k', text: 'kettle' }));
    for (const other of [newTenant(), { ...tenant, workspace: 'kitchen' }]) {
      const { ledger: empty, entryRanker } = await opened(other);
      expect([await empty.entries(['one']), await empty.events(), await empty.revision(20)]).toEqual([
        [],
        [],
        '',
      ]);
      expect(await entryRanker.rank({ query: 'kettle', order: 'relevance', filter: { limit: 9 } })).toEqual(
        [],
      );
      expect(await empty.add(adding('one', 10, { mergeKey: 'k' }))).toMatchObject({ action: 'inserted' });
    }
    expect((await ledger.versions('one')).length).toBe(1);
  });

  it('has one active entry of a key and every event in its place, however many write at once', async () => {
    const { ledger } = await opened();
    const writes = Array.from({ length: 12 }, (_, at) =>
      ledger.add(adding(`e${at}`, 10 + at, { mergeKey: 'k', onConflict: 'supersede' })),
    );
    await Promise.all(writes);
    expect((await ledger.list({ mergeKey: 'k', statuses: ['active'], limit: 9 })).length).toBe(1);
    expect((await ledger.events()).length).toBe(12);
    const chain = (await ledger.list({ limit: 99 })).map(({ supersedes }) => supersedes);
    expect(new Set(chain).size).toBe(12);
  });

  it('ranks like the ledger of a workspace, to the last digits', async () => {
    const [team, local] = [await opened(), ledgerInMemory()];
    const words = [
      'kettle',
      'boats',
      'deploy',
      'header',
      'the',
      'harbour',
      'tea',
      'parseHttp',
      'loud',
      'floor',
    ];
    const some = (seed: number, count: number) =>
      Array.from({ length: count }, (_, at) => words[(seed * 7 + at * at * 3 + at) % words.length]).join(' ');
    for (let at = 0; at < 12; at++) {
      const given = { title: some(at, 2), text: some(at + 1, 3 + at), tags: [some(at, 1)] };
      // Half of them have an older version, which counts among all versions.
      const entries = [adding(`e${at}`, 10 + at, { ...given, mergeKey: `k${at % 6}` })];
      for (const entry of entries) {
        await team.ledger.add(entry);
        await local.ledger.add(entry);
      }
    }
    for (const query of [
      'kettle',
      'kettle boats',
      'dep*',
      'tea -loud',
      'parse header floor',
      '"the harbour"',
      'the',
    ]) {
      const request = { query, order: 'relevance', filter: { limit: 9, statuses: ['active'] } } as const;
      const [ours, theirs] = [await team.entryRanker.rank(request), await local.entryRanker.rank(request)];
      const rounded = (found: typeof ours) => found.map(({ id, score }) => [id, score.toPrecision(9)]);
      expect(rounded(ours), query).toEqual(rounded(theirs));
    }
  });

  itUsesTheTenantsIndexes({ ...shared, tenant: ['team', 'workspace'] });
});
