import { describe } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { itKeepsAccess } from '../../../domain/team/access-store.contract.ts';
import { postgresAccessStore } from './access-store.ts';

describe.skipIf(postgresProblem() !== undefined)('access to a team', () => {
  const { database, statements } = sharedDatabase();
  itKeepsAccess('PostgreSQL', async () => postgresAccessStore(await database(), newTenant().team));
  itUsesTheTenantsIndexes({ database, statements, tenant: ['team'] });
});
