/** The contract suites of everything that a team shares, for another PostgreSQL than Debian's. */

import { formatTopicFile, parseTopicFile } from '../../src/adapters/files/references/topic-file.ts';
import { postgresAccessStore } from '../../src/adapters/postgres/access/access-store.ts';
import { postgresApprovalStore } from '../../src/adapters/postgres/approvals/approval-store.ts';
import { postgresJobStore } from '../../src/adapters/postgres/approvals/job-store.ts';
import { postgresSharedConversations } from '../../src/adapters/postgres/conversations/shared-conversations.ts';
import { postgresSharedTopics } from '../../src/adapters/postgres/knowledge-base/shared-topics.ts';
import { postgresTopicFiles } from '../../src/adapters/postgres/knowledge-base/subject-files.ts';
import { postgresEntryRanker } from '../../src/adapters/postgres/ledger/entry-ranker.ts';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { postgresReferenceLibrary } from '../../src/adapters/postgres/references/library.ts';
import type { Database, Tenant } from '../../src/adapters/postgres/seam/database.ts';
import { itKeepsApprovals } from '../../src/domain/approvals/approval-store.contract.ts';
import { itKeepsJobs } from '../../src/domain/approvals/job-store.contract.ts';
import { type FileTree, itReadsTopicFiles } from '../../src/domain/knowledge-base/subject-files.contract.ts';
import type { TopicFiles } from '../../src/domain/knowledge-base/subject-files.ts';
import { itKeepsALedger } from '../../src/domain/ledger/store.contract.ts';
import { itKeepsClaims } from '../../src/domain/ledger/store-claims.contract.ts';
import { itKeepsHistories } from '../../src/domain/ledger/store-histories.contract.ts';
import { itKeepsPromotions } from '../../src/domain/ledger/store-promotions.contract.ts';
import { itReadsALedger } from '../../src/domain/ledger/store-reads.contract.ts';
import { itKeepsReferenceTopics } from '../../src/domain/references/topic/library.contract.ts';
import { itKeepsAccess } from '../../src/domain/team/access-store.contract.ts';
import { itSharesConversations } from '../../src/domain/team/conversations/shared-conversations.contract.ts';
import { exampleShared, itSharesTopics } from '../../src/domain/team/topics/shared-topics.contract.ts';
import { newTenant } from './postgres.ts';

export function itKeepsWhatATeamShares(name: string, open: () => Promise<Database>): void {
  const ledger = async () => {
    const [database, tenant] = [await open(), newTenant()];
    return {
      ledger: postgresLedgerStore(database, tenant),
      entryRanker: postgresEntryRanker(database, tenant),
    };
  };
  itKeepsALedger(name, ledger);
  itReadsALedger(name, ledger);
  itKeepsHistories(name, ledger);
  itKeepsPromotions(name, ledger);
  itKeepsClaims(name, ledger);
  itKeepsAccess(name, async () => postgresAccessStore(await open(), newTenant().team));
  itKeepsApprovals(name, async () => postgresApprovalStore(await open(), newTenant().team));
  itKeepsJobs(name, async () => postgresJobStore(await open(), newTenant().team));
  itSharesConversations(name, async () => postgresSharedConversations(await open(), newTenant()));
  itSharesTopics(name, async () => postgresSharedTopics(await open(), newTenant()));
  itReadsTopicFiles(name, (tree) => topicFilesWith(tree, open));
  itKeepsReferenceTopics(name, () => libraryAtOnce(open));
}

/** Writes the topics of a tree at the first use. */
export function topicFilesWith(tree: FileTree, open: () => Promise<Database>): TopicFiles {
  const tenant = newTenant();
  return {
    async open(place) {
      const database = await open();
      for (const [id, contents] of topicsIn(tree)) {
        const topic = { ...exampleShared(id, {}), contents };
        await postgresSharedTopics(database, tenant).put(topic, undefined);
      }
      return postgresTopicFiles(database, tenant).open(place);
    },
  };
}

function topicsIn(tree: FileTree): Map<string, Map<string, Uint8Array>> {
  const topics = new Map<string, Map<string, Uint8Array>>();
  for (const [name, entry] of Object.entries(tree)) {
    const [id = '', ...rest] = name.split('/');
    if (typeof entry === 'object' && !(entry instanceof Uint8Array)) continue;
    if (rest.length === 0) continue;
    const contents = topics.get(id) ?? new Map<string, Uint8Array>();
    topics.set(id, contents.set(rest.join('/'), Buffer.from(entry)));
  }
  return topics;
}

/** A library that is opened without waiting. */
export function libraryAtOnce(open: () => Promise<Database>, tenant: Tenant = newTenant()) {
  const database: Database = {
    read: async (work) => (await open()).read(work),
    write: async (work) => (await open()).write(work),
    maintain: async (work) => (await open()).maintain(work),
    close: async () => {},
  };
  return postgresReferenceLibrary({
    database,
    tenant,
    topicFormat: { format: formatTopicFile, parse: parseTopicFile },
  });
}
