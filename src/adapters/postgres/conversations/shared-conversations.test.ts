import { describe, expect, it } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import {
  itSharesConversations,
  sharedAt,
} from '../../../domain/team/conversations/shared-conversations.contract.ts';
import { postgresSharedConversations } from './shared-conversations.ts';

describe.skipIf(postgresProblem() !== undefined)('the conversations of a team', () => {
  const shared = sharedDatabase();
  const opened = async (tenant = newTenant()) => postgresSharedConversations(await shared.database(), tenant);
  itSharesConversations('PostgreSQL', () => opened());

  it('shows nothing to another team, nor to another workspace of the team', async () => {
    const tenant = newTenant();
    const talk = sharedAt(1, 'Tea');
    await (await opened(tenant)).put(talk, 'secret\n');
    for (const other of [newTenant(), { ...tenant, workspace: 'kitchen' }]) {
      const store = await opened(other);
      expect([await store.list(), await store.get(talk.id), await store.lines(talk.id)]).toEqual([
        [],
        undefined,
        undefined,
      ]);
      expect(await store.remove(talk.id)).toBe(false);
    }
    expect(await (await opened(tenant)).lines(talk.id)).toBe('secret\n');
  });

  itUsesTheTenantsIndexes({ ...shared, tenant: ['team', 'workspace'], least: 5 });
});
