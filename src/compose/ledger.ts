import { existsSync } from 'node:fs';
import path from 'node:path';
import { namedWorkspace } from '../adapters/files/find-workspace.ts';
import type { LedgerPorts, OpenRequest } from '../app.ts';
import { deferred, unlessMade } from '../base/deferred.ts';
import { opening } from '../base/opening.ts';
import type { Directories, Workspace } from '../base/places.ts';
import type { ProcessRunner } from '../base/processes.ts';
import type { WaitingWork } from '../domain/approvals/decide-approval.ts';
import type { WorkspaceHistory } from '../domain/ledger/evidence/check-evidence.ts';
import type { EvidenceFiles } from '../domain/ledger/evidence/evidence.ts';
import type { PromotePorts } from '../domain/ledger/promotion/promote-entry.ts';
import type { EntryRanker } from '../domain/ledger/search/entry-ranker.ts';
import type { LedgerStore } from '../domain/ledger/store.ts';

interface Opened {
  readonly ports: Omit<LedgerPorts, 'citedSource' | 'nearness' | 'nearEntries'>;
  close(): Promise<void>;
}

/** The database is opened at its first use, and made when something is first added. */
export function openLedger(
  request: Pick<OpenRequest, 'warn' | 'environment'>,
  directories: Directories,
  workspace: Workspace,
  processes: ProcessRunner,
): Opened {
  const directory = path.join(workspace.home, 'knowledge');
  const file = path.join(directory, 'knowledge.db');
  const database = opening(async () => {
    const { openLedgerDatabase } = await import('../adapters/sqlite/ledger/ledger-database.ts');
    return openLedgerDatabase({ file, records: path.join(directories.state, 'inspected') });
  });
  const isMade = () => existsSync(file);
  const none = async () => [];
  const ledger = deferred<LedgerStore>(async () => {
    const { ledgerFilesIn } = await import('../adapters/files/ledger-files.ts');
    const { openLedgerStore } = await import('../adapters/sqlite/ledger/ledger-store.ts');
    return openLedgerStore(await database.use(), { files: ledgerFilesIn(directory), warn: request.warn });
  });
  const entryRanker = deferred<EntryRanker>(async () => {
    const { sqliteEntryRanker } = await import('../adapters/sqlite/ledger/entry-ranker.ts');
    return sqliteEntryRanker(await database.use());
  });
  const evidence = deferred<EvidenceFiles>(async () => {
    const { evidenceFilesIn } = await import('../adapters/files/evidence-files.ts');
    return evidenceFilesIn(workspace.root);
  });
  const history = deferred<WorkspaceHistory>(async () => {
    const { gitHistory } = await import('../adapters/git/workspace-history.ts');
    return gitHistory(processes, workspace.root, request.environment.PATH ?? '');
  });
  return {
    ports: {
      ledger: unlessMade(isMade, ledger, {
        entries: none,
        list: none,
        current: none,
        histories: async () => {},
        revision: async () => '',
        count: async () => ({ active: 0, expired: 0, doubtful: 0, unverified: 0 }),
        versions: none,
        citations: none,
        events: none,
        promotion: async () => undefined,
        hasEvent: async () => false,
      }),
      entryRanker: unlessMade(isMade, entryRanker, { rank: none }),
      evidence,
      history,
      promotionLines: async () => {
        const { ledgerFilesIn } = await import('../adapters/files/ledger-files.ts');
        return ledgerFilesIn(directory).lines('knowledge.promotions.jsonl');
      },
    },
    close: async () => (await database.current())?.close(),
  };
}

/** Approving a promotion carries it out there and then, in the workspace that asked for it. */
export function promotionWork(
  request: Pick<OpenRequest, 'warn' | 'environment'>,
  directories: Directories,
  ports: Omit<PromotePorts, 'ledger' | 'evidence' | 'citedSource' | 'isCitationUri'> & {
    readonly processes: ProcessRunner;
  },
): WaitingWork {
  return {
    reason: 'knowledge_promote',
    async run(approval) {
      const { NO_SOURCE } = await import('../domain/ledger/evidence/evidence.ts');
      const { promoteAsApproved } = await import('../domain/ledger/promotion/promote-entry.ts');
      const { isCitationUri } = await import('../domain/search/citations/citation.ts');
      const workspace = namedWorkspace(approval.workspace ?? '');
      const { ports: opened, close } = openLedger(request, directories, workspace, ports.processes);
      try {
        return await promoteAsApproved(
          { ...ports, ...opened, citedSource: NO_SOURCE, isCitationUri },
          approval,
        );
      } finally {
        await close();
      }
    },
  };
}
