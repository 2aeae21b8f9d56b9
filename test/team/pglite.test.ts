/** Another PostgreSQL than Debian's: all that a team shares, and an index whose candidates it finds by its extensions. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { postgresIndexStore } from '../../src/adapters/postgres/index/index-store.ts';
import { servedIndexNames } from '../../src/adapters/postgres/index/served-state.ts';
import { isServed, startServing } from '../../src/adapters/postgres/index/start-serving.ts';
import type { Database, Tenant } from '../../src/adapters/postgres/seam/database.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { type SearchResult, searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import { embedChunks, indexItems, tidyIndex } from '../../src/domain/search/index/index-items.ts';
import { itKeepsAnIndex } from '../../src/domain/search/index/index-store.contract.ts';
import { newItem } from '../../src/domain/search/index/test-index.contract.ts';
import { type PgliteServer, startPglite } from './pglite.ts';
import { itUsesTheTenantsIndexes, newTenant } from './postgres.ts';
import { callTool, roundRobin, servedTeam, warningsOf } from './serving.ts';
import { itKeepsWhatATeamShares } from './store-contracts.ts';

const START_MS = 120_000;
const EXACT = { hasNearIndex: false };

let server: PgliteServer;
let database: Database;
const statements = new Map<string, readonly unknown[]>();
beforeAll(async () => {
  server = await startPglite();
  database = await openDatabase(server.url, { observe: (sql, values) => statements.set(sql, values) });
}, START_MS);
afterAll(async () => {
  await database.close();
  await server.close();
});

describe('an index whose candidates the database finds', () => {
  itKeepsAnIndex('PGlite', async () => {
    const tenant = newTenant();
    await startServing(database, tenant, EXACT);
    return postgresIndexStore(database, tenant);
  });

  const items = () =>
    Array.from({ length: 60 }, (_, at) =>
      newItem(`i${at}`, [`The kettle number ${at} boils`, `${WORDS[at % WORDS.length]} grows in bed ${at}`], {
        topic: at % 2 === 0 ? 'house' : 'garden',
      }),
    );

  async function bothWays(tenant: Tenant) {
    const embedder = builtinEmbedder();
    const store = postgresIndexStore(database, tenant);
    const kept = { ...store, servedFacts: async () => undefined };
    return {
      store,
      embedder,
      served: searchEngine({ stores: [store], embedder }),
      kept: searchEngine({ stores: [kept], embedder }),
    };
  }

  it('answers as an index that the process keeps does, also after changes', async () => {
    const tenant = newTenant();
    const { store, embedder, served, kept } = await bothWays(tenant);
    await indexItems({ store }, { items: items() });
    await embedChunks({ store, embedder });
    expect(await startServing(database, tenant, EXACT)).toBe(true);
    expect(await startServing(database, tenant, EXACT)).toBe(false);
    expect(await isServed(database, tenant)).toBe(true);
    const compare = async (shown: (result: SearchResult) => unknown) => {
      for (const question of QUESTIONS)
        for (const topic of [undefined, 'garden', 'nowhere']) {
          const request = {
            question,
            limit: 12,
            ...(topic && { isWantedGroup: (group: { topic: string }) => group.topic === topic }),
          };
          const [one, other] = [await served.search(request), await kept.search(request)];
          expect(shown(one), `${question} in ${topic}`).toEqual(shown(other));
        }
    };
    await compare((result) => result);
    await indexItems(
      { store },
      {
        removed: [{ source: 'kb', id: 'i3' }],
        items: [newItem('i5', ['A quince is no pear']), newItem('new', ['Medlars ripen in November'])],
      },
    );
    await embedChunks({ store, embedder });
    await tidyIndex({ store });
    // How many chunks have a word is counted with those that were removed, until their segment is merged.
    await compare(({ outcome, hits, nearMisses }) => [
      outcome,
      ...[...hits, ...nearMisses].map(({ chunk, chance }) => [chunk.body, Math.round(chance * 20)]),
    ]);
  });

  it('sees only the workspace that asks', async () => {
    const tenant = newTenant();
    const other = { ...tenant, workspace: 'kitchen' };
    for (const each of [tenant, other]) {
      const { store, embedder } = await bothWays(each);
      await indexItems({ store }, { items: [newItem('one', [`The secret of the ${each.workspace}`])] });
      await embedChunks({ store, embedder });
      await startServing(database, each, EXACT);
    }
    const { served } = await bothWays(tenant);
    const { hits, nearMisses } = await served.search({ question: 'the secret of the kitchen', limit: 5 });
    expect([...hits, ...nearMisses].map(({ chunk }) => chunk.body)).toEqual(['The secret of the garden']);
  });

  it('is kept by processes again when the vectors are of another embedder', async () => {
    const tenant = newTenant();
    const { store, embedder } = await bothWays(tenant);
    await indexItems({ store }, { items: items() });
    await embedChunks({ store, embedder });
    await startServing(database, tenant, EXACT);
    await store.putVectors(
      { fingerprint: 'another', dimension: 64 },
      new Map([[0, new Int8Array(64).fill(1)]]),
    );
    expect(await isServed(database, tenant)).toBe(false);
    expect(await store.servedFacts(['kettle'])).toBe(undefined);
  });

  it('is filled again for the first embedder, since its index of vectors can be made only then', async () => {
    const tenant = newTenant();
    const { store, embedder } = await bothWays(tenant);
    await indexItems({ store }, { items: items() });
    const start = () => startServing(database, tenant, { hasNearIndex: true });
    const nearIndexes = async () => {
      const name = servedIndexNames(tenant).meaning;
      const rows = await database.read((sql) => sql`select 1 from pg_indexes i where i.indexname = ${name}`);
      return rows.length;
    };
    expect([await start(), await isServed(database, tenant), await nearIndexes()]).toEqual([true, true, 0]);
    await embedChunks({ store, embedder });
    expect(await isServed(database, tenant)).toBe(false);
    expect([await start(), await isServed(database, tenant), await nearIndexes()]).toEqual([true, true, 1]);
  });

  it('asks for candidates in one statement', () => {
    const asking = [...statements.keys()].filter((sql) => sql.includes('<@>') && sql.includes('<=>'));
    expect(asking.length).toBeGreaterThan(0);
  });

  it('is what `ken serve` makes by itself of an index that it is to have served', async () => {
    const team = await servedTeam({ url: server.url, settings: { 'team.search': 'server' } });
    await team.member('ada', 'garden', 'read', 'write');
    const base = await roundRobin(team.servers);
    const { secret } = await team.token('ada', ['read', 'write']);
    const tenant = { team: team.team, workspace: 'garden' };
    const found = async (question: string) => (await callTool(base, secret, 'search', { question })).text;
    await team.ledger('garden').add(adding('tea', 10, { text: 'The medlar tea is behind the flour.' }));
    expect(await found('where is the medlar tea')).toContain('behind the flour');
    // It goes on in the background, and answers meanwhile.
    while (!(await isServed(database, tenant)))
      expect(await found('where is the medlar tea')).toContain('behind the flour');
    expect(await found('where is the medlar tea')).toContain('behind the flour');
    await team.ledger('garden').add(adding('jam', 20, { text: 'The quince jam is on the shelf.' }));
    expect(await found('where is the quince jam')).toContain('on the shelf');
    const candidates = await database.read(
      (sql) => sql`
        select 1 from ken.search_candidate c where c.team = ${tenant.team} and c.workspace = ${tenant.workspace}`,
    );
    expect(candidates.length).toBe(2);
    expect(team.servers.flatMap(warningsOf)).toEqual([]);
  });

  itUsesTheTenantsIndexes({
    database: async () => database,
    statements,
    tenant: ['team', 'workspace'],
  });
});

// They come after the last test above, which looks at the statements of the index.
itKeepsWhatATeamShares('PGlite', async () => database);

const WORDS = ['rhubarb', 'thyme', 'quince', 'lovage', 'medlar', 'sorrel', '日本', 'rhubarb thyme', 'x_y-2'];
const QUESTIONS = [
  'where does the rhubarb grow',
  'kettle 17',
  'quinse',
  'lovag*',
  '日本',
  'x_y-2',
  'which herb is near the thyme in bed 7',
  '"rhubarb thyme"',
  'rhubarb -thyme',
  'nothing of the sort',
];
