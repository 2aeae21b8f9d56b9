import { namedWorkspace } from '../adapters/files/find-workspace.ts';
import type { App } from '../app.ts';
import { pinAsApproved } from '../domain/approvals/accept-tool.ts';
import type { WaitingWork } from '../domain/approvals/decide-approval.ts';
import { trustAsApproved } from '../domain/approvals/trust-workspace.ts';
import { writeAsApproved } from '../domain/knowledge-base/propose-subject.ts';
import { NO_SOURCE } from '../domain/ledger/evidence/evidence.ts';
import { promoteAsApproved } from '../domain/ledger/promotion/promote-entry.ts';
import { createAsApproved } from '../domain/references/lifecycle/create-topic.ts';
import { refreshAsApproved } from '../domain/references/lifecycle/refresh-stale.ts';
import { isCitationUri } from '../domain/search/citations/citation.ts';
import { openLedgerStores } from './ledger.ts';
import type { Surroundings } from './part.ts';

type Run = WaitingWork['run'];

export function workByReason(surroundings: Surroundings, app: App) {
  return {
    workspace_trust: async (approval) => trustAsApproved(app, approval),
    tool_definition: async (approval) => pinAsApproved(app, approval),
    reference_topic_create: (approval, report, signal) => createAsApproved(app, approval, report, signal),
    reference_topic_refresh: (approval, report, signal) => refreshAsApproved(app, approval, report, signal),
    subject_propose: async (approval) => writeAsApproved(app, approval),
    knowledge_promote: async (approval) => {
      const closing: (() => Promise<unknown>)[] = [];
      const stores = openLedgerStores(
        { ...surroundings, onClose: (_, close) => closing.push(close) },
        namedWorkspace(approval.workspace ?? ''),
        app,
      );
      try {
        const ports = { ...app, ...stores, citedSource: NO_SOURCE, isCitationUri };
        return await promoteAsApproved(ports, approval);
      } finally {
        await Promise.all(closing.map((close) => close()));
      }
    },
  } satisfies Record<string, Run>;
}
