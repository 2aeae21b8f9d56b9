import { describe } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { itKeepsAnIndex } from '../../../domain/search/index/index-store.contract.ts';
import { postgresIndexStore } from './index-store.ts';

describe.skipIf(postgresProblem() !== undefined)('the index of a team', () => {
  const shared = sharedDatabase();
  itKeepsAnIndex('PostgreSQL', async () => postgresIndexStore(await shared.database(), newTenant()));
  itUsesTheTenantsIndexes({ ...shared, tenant: ['team', 'workspace'] });
});
