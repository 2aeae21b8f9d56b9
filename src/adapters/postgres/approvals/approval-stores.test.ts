import { describe } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { itKeepsApprovals } from '../../../domain/approvals/approval-store.contract.ts';
import { itKeepsJobs } from '../../../domain/approvals/job-store.contract.ts';
import { postgresApprovalStore } from './approval-store.ts';
import { postgresJobStore } from './job-store.ts';

describe.skipIf(postgresProblem() !== undefined)('approvals and jobs of a team', () => {
  const { database, statements } = sharedDatabase();
  itKeepsApprovals('PostgreSQL', async () => postgresApprovalStore(await database(), newTenant().team));
  itKeepsJobs('PostgreSQL', async () => postgresJobStore(await database(), newTenant().team));
  itUsesTheTenantsIndexes({ database, statements, tenant: ['team'] });
});
