import { chmodSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { itKeepsApprovals, newApproval } from '../../../domain/approvals/approval-store.contract.ts';
import { itKeepsJobs } from '../../../domain/approvals/job-store.contract.ts';
import { itKeepsStandingApprovals } from '../../../domain/approvals/standing/standing-approvals.contract.ts';
import { itKeepsToolPins } from '../../../domain/approvals/tool-pin-store.contract.ts';
import { itKeepsTrust } from '../../../domain/approvals/trust-store.contract.ts';
import type { Database } from '../seam/database.ts';
import { sqliteApprovalStore } from './approval-store.ts';
import { openApprovalsDatabase } from './approvals-database.ts';
import { sqliteJobStore } from './job-store.ts';
import { sqliteStandingApprovals } from './standing-approvals.ts';
import { sqliteToolPinStore } from './tool-pin-store.ts';
import { sqliteTrustStore } from './trust-store.ts';

async function opened(file = ':memory:'): Promise<Database> {
  const database = await openApprovalsDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

itKeepsApprovals('SQLite', async () => sqliteApprovalStore(await opened()));
itKeepsJobs('SQLite', async () => sqliteJobStore(await opened()));
itKeepsTrust('SQLite', async () => sqliteTrustStore(await opened()));
itKeepsStandingApprovals('SQLite', async () => sqliteStandingApprovals(await opened()));
itKeepsToolPins('SQLite', async () => sqliteToolPinStore(await opened()));

it('survives being closed and opened, readable by its owner alone', async () => {
  const file = path.join(temporaryDirectory(), 'data/ken/approvals.db');
  const first = await openApprovalsDatabase(file);
  await sqliteApprovalStore(first).request(newApproval());
  await first.close();
  const second = sqliteApprovalStore(await opened(file));
  expect(await second.get('a1', newApproval().created)).toEqual({
    ...newApproval(),
    state: { status: 'pending' },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

it('does not listen to a file that others may write', async () => {
  const file = path.join(temporaryDirectory(), 'approvals.db');
  await (await openApprovalsDatabase(file)).close();
  chmodSync(file, 0o620);
  await expect(opened(file)).rejects.toMatchObject({
    code: 'approvals/unsafe',
    hint: `If it is yours alone, run "chmod 600 ${file}".`,
  });
  const link = path.join(path.dirname(file), 'link.db');
  symlinkSync(file, link);
  await expect(opened(link)).rejects.toMatchObject({ code: 'approvals/unsafe' });
});
