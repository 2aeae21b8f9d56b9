import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { topicFilesWith } from '../../../../test/team/store-contracts.ts';
import { itReadsTopicFiles } from '../../../domain/knowledge-base/subject-files.contract.ts';
import { exampleShared, itSharesTopics } from '../../../domain/team/topics/shared-topics.contract.ts';
import { postgresSharedTopics } from './shared-topics.ts';
import { postgresTopicFiles } from './subject-files.ts';

describe.skipIf(postgresProblem() !== undefined)('topics of a team', () => {
  const shared = sharedDatabase();
  const opened = async (tenant = newTenant()) => postgresSharedTopics(await shared.database(), tenant);
  itSharesTopics('PostgreSQL', () => opened());
  itReadsTopicFiles('PostgreSQL', (tree) => topicFilesWith(tree, shared.database));

  it('keeps a content once for a team, as long as something has it, and never across teams', async () => {
    const [garden, other] = [newTenant(), newTenant()];
    const database = await shared.database();
    const text = `${garden.team} has this`;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const copies = () =>
      database.read(async (sql) => {
        const rows = await sql`
          select c.team from ken.content c where c.team = ${garden.team} and c.sha256 = ${sha256}
          union all select c.team from ken.content c where c.team = ${other.team} and c.sha256 = ${sha256}`;
        return rows.map(({ team }) => team).sort();
      });
    const stores = await Promise.all(
      [garden, { ...garden, workspace: 'kitchen' }, other].map((each) => opened(each)),
    );
    for (const store of stores) await store.put(exampleShared('boats', { a: text, b: text }), undefined);
    expect(await copies()).toEqual([garden.team, other.team].sort());
    await stores[0]?.remove('boats');
    expect(await copies()).toEqual([garden.team, other.team].sort());
    await stores[1]?.put(exampleShared('boats', {}), exampleShared('boats', { a: text, b: text }).digest);
    expect(await copies()).toEqual([other.team]);
  });

  it('shows nothing to another team, nor to another workspace of the team', async () => {
    const tenant = newTenant();
    const boats = exampleShared('boats', { 'a.md': 'secret' });
    await (await opened(tenant)).put(boats, undefined);
    for (const other of [newTenant(), { ...tenant, workspace: 'kitchen' }]) {
      const store = await opened(other);
      expect([
        (await store.digests()).size,
        await store.get('boats'),
        (await store.contents('boats')).size,
      ]).toEqual([0, undefined, 0]);
      expect(await store.remove('boats')).toBe(false);
      expect(await store.put(boats, boats.digest)).toBe(false);
      const files = await postgresTopicFiles(await shared.database(), other).open({
        directory: 'boats',
        followSymlinks: false,
      });
      expect(files.list().problem).toBe('missing');
    }
    expect((await (await opened(tenant)).contents('boats')).size).toBe(1);
  });

  itUsesTheTenantsIndexes({
    ...shared,
    tenant: ['team', 'workspace'],
    ofTeam: ['content', 'team_contents', 'file_by_content'],
  });
});
