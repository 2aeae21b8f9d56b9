import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemHasher } from '../adapters/system/hasher.ts';
import { deferred, unlessMade } from '../base/deferred.ts';
import type { Hasher } from '../base/hasher.ts';
import { opening } from '../base/opening.ts';
import type { Directories } from '../base/places.ts';
import type { WaitingWork } from '../domain/approvals/decide-approval.ts';
import type { ToolPinStore } from '../domain/approvals/tool-pin.ts';
import type { TrustStore } from '../domain/approvals/trust.ts';

/** What the operator decided, and ways to reach them; opened when it is first asked for. */
export function openDecisions(directories: Directories) {
  const file = path.join(directories.data, 'approvals.db');
  const database = opening(async () => {
    const { openApprovalsDatabase } = await import('../adapters/sqlite/approvals/approvals-database.ts');
    return openApprovalsDatabase(file);
  });
  const operator = deferred(async () => {
    const { operatorName } = await import('../adapters/system/account.ts');
    return { name: operatorName };
  });
  // Every command may ask what was decided; none makes a database only to find it empty.
  const isMade = () => existsSync(file);
  const nothing = async () => undefined;
  const trust = unlessMade(
    isMade,
    deferred(async () =>
      (await import('../adapters/sqlite/approvals/trust-store.ts')).sqliteTrustStore(await database.use()),
    ),
    { get: nothing, revoke: async () => false },
  );
  const toolPins = unlessMade(
    isMade,
    deferred(async () =>
      (await import('../adapters/sqlite/approvals/tool-pin-store.ts')).sqliteToolPinStore(
        await database.use(),
      ),
    ),
    { get: nothing, list: async () => [], remove: async () => false },
  );
  const ports = { trust, toolPins, hasher: systemHasher };
  return {
    hasher: systemHasher,
    operator,
    trust,
    approvals: unlessMade(
      isMade,
      deferred(async () =>
        (await import('../adapters/sqlite/approvals/approval-store.ts')).sqliteApprovalStore(
          await database.use(),
        ),
      ),
      { get: nothing, list: async () => [], consume: nothing },
    ),
    jobs: unlessMade(
      isMade,
      deferred(async () =>
        (await import('../adapters/sqlite/approvals/job-store.ts')).sqliteJobStore(await database.use()),
      ),
      { get: nothing, list: async () => [] },
    ),
    toolPins,
    processWatch: deferred(
      async () => (await import('../adapters/system/process-watch.ts')).systemProcessWatch,
    ),
    approver: deferred(async () => {
      const { terminalApprover } = await import('../adapters/terminal/approver.ts');
      return terminalApprover({ input: process.stdin, output: process.stderr }, () => operator.name());
    }),
    questioner: deferred(async () => {
      const { terminalQuestioner } = await import('../adapters/terminal/questioner.ts');
      return terminalQuestioner({ input: process.stdin, output: process.stderr });
    }),
    waitingWork: waitingWork(ports),
    /** A database that could not be opened has nothing to close, and has said so to whoever opened it. */
    close: async () => (await database.current())?.close(),
  };
}

/** What approvals of these kinds set going. */
function waitingWork(ports: { trust: TrustStore; toolPins: ToolPinStore; hasher: Hasher }): WaitingWork[] {
  return [
    {
      reason: 'workspace_trust',
      run: async (approval) =>
        (await import('../domain/approvals/trust-workspace.ts')).trustAsApproved(ports, approval),
    },
    {
      reason: 'tool_definition',
      run: async (approval) =>
        (await import('../domain/approvals/accept-tool.ts')).pinAsApproved(ports, approval),
    },
  ];
}
