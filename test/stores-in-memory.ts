/** The SQLite stores on databases in memory: each call makes an empty one, which lasts as long as the test holds it. */

import { sqliteApprovalStore } from '../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../src/adapters/sqlite/approvals/approvals-database.ts';
import { sqliteJobStore } from '../src/adapters/sqlite/approvals/job-store.ts';
import { sqliteStandingApprovals } from '../src/adapters/sqlite/approvals/standing-approvals.ts';
import { sqliteToolPinStore } from '../src/adapters/sqlite/approvals/tool-pin-store.ts';
import { SEARCH_INDEX } from '../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../src/adapters/sqlite/index/index-store.ts';
import { sqliteEntryRanker } from '../src/adapters/sqlite/ledger/entry-ranker.ts';
import { openLedgerDatabase } from '../src/adapters/sqlite/ledger/ledger-database.ts';
import { sqliteLedgerStore } from '../src/adapters/sqlite/ledger/ledger-store.ts';
import type { Database } from '../src/adapters/sqlite/seam/database.ts';
import { derivedDatabase } from '../src/adapters/sqlite/seam/derived-database.ts';
import { systemHasher } from '../src/adapters/system/primitives.ts';
import { lazyPort, lazyResource } from '../src/base/lazy.ts';
import type { ApprovalStore } from '../src/domain/approvals/approval-store.ts';
import type { JobStore } from '../src/domain/approvals/job-store.ts';
import type { StandingApprovals } from '../src/domain/approvals/standing/standing-approval.ts';
import type { ToolPinStore } from '../src/domain/approvals/tool-pin.ts';
import type { OperatorKey } from '../src/domain/ledger/entry/operator-key.ts';
import type { EntryRanker } from '../src/domain/ledger/search/entry-ranker.ts';
import type { LedgerStore } from '../src/domain/ledger/store.ts';
import type { IndexStore } from '../src/domain/search/index/index-store.ts';

export function indexInMemory(): IndexStore {
  return sqliteIndexStore(derivedDatabase({ file: ':memory:', migrations: SEARCH_INDEX }));
}

export function approvalsInMemory(): ApprovalStore {
  return lazyPort(async () => sqliteApprovalStore(await openApprovalsDatabase(':memory:')));
}

/** On one database. */
export async function approvalStoresInMemory(): Promise<{
  approvals: ApprovalStore;
  standingApprovals: StandingApprovals;
}> {
  const database = await openApprovalsDatabase(':memory:');
  return {
    approvals: sqliteApprovalStore(database),
    standingApprovals: sqliteStandingApprovals(database),
  };
}

export function jobsInMemory(): JobStore {
  return lazyPort(async () => sqliteJobStore(await openApprovalsDatabase(':memory:')));
}

export function toolPinsInMemory(): ToolPinStore {
  return lazyPort(async () => sqliteToolPinStore(await openApprovalsDatabase(':memory:')));
}

/** A key that is no secret. */
export const TEST_KEY: OperatorKey = {
  sign: (statement) => systemHasher.sha256(statement),
  verify: (statement, mac) => systemHasher.sha256(statement) === mac,
};

/** A ledger whose event lines go nowhere. */
export function ledgerInMemory(): { ledger: LedgerStore; entryRanker: EntryRanker } {
  const database = lazyResource(() =>
    openLedgerDatabase({ file: ':memory:', records: '/nowhere', key: TEST_KEY }),
  );
  return {
    ledger: lazyPort(async () => ledgerOver(await database.use())),
    entryRanker: lazyPort(async () => sqliteEntryRanker(await database.use())),
  };
}

export function ledgerOver(database: Database): LedgerStore {
  const files = { lines: () => [], append: () => {} };
  return sqliteLedgerStore(database, { files, warn: () => {}, key: TEST_KEY });
}

/** The port with some methods replaced. A spread would lose the methods of a port that opens at its first call. */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, { get: (_, name: string & keyof Port) => methods[name] ?? port[name] });
}
