import { existsSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { lazyPort, lazyResource, untilMade } from '../base/lazy.ts';
import type { Surroundings } from './part.ts';

export type ApprovalStores = Pick<
  App,
  'operator' | 'trust' | 'approvals' | 'jobs' | 'toolPins' | 'processWatch' | 'approver' | 'questioner'
>;

/** The operator's decisions, and ways to ask for them. */
export function openApprovals(surroundings: Surroundings): ApprovalStores {
  const { directories, onClose } = surroundings;
  const file = path.join(directories.data, 'approvals.db');
  const database = lazyResource(async () => {
    const { openApprovalsDatabase } = await import('../adapters/sqlite/approvals/approvals-database.ts');
    return openApprovalsDatabase(file);
  });
  // A database that could not be opened has nothing to close.
  onClose('store', async () => (await database.current())?.close());
  // Every command may ask what was decided; none makes a database only to find it empty.
  const isMade = () => existsSync(file);
  const nothing = async () => undefined;
  const trust = lazyPort<App['trust']>(async () =>
    (await import('../adapters/sqlite/approvals/trust-store.ts')).sqliteTrustStore(await database.use()),
  );
  const toolPins = lazyPort<App['toolPins']>(async () =>
    (await import('../adapters/sqlite/approvals/tool-pin-store.ts')).sqliteToolPinStore(await database.use()),
  );
  const approvals = lazyPort<App['approvals']>(async () =>
    (await import('../adapters/sqlite/approvals/approval-store.ts')).sqliteApprovalStore(
      await database.use(),
    ),
  );
  const jobs = lazyPort<App['jobs']>(async () =>
    (await import('../adapters/sqlite/approvals/job-store.ts')).sqliteJobStore(await database.use()),
  );
  return {
    trust: untilMade(isMade, trust, { get: nothing, revoke: async () => false }),
    toolPins: untilMade(isMade, toolPins, { get: nothing, list: async () => [], remove: async () => false }),
    approvals: untilMade(isMade, approvals, { get: nothing, list: async () => [], consume: nothing }),
    jobs: untilMade(isMade, jobs, { get: nothing, list: async () => [] }),
    ...openOperator(surroundings),
  };
}

function openOperator({
  request: { environment },
}: Surroundings): Pick<App, 'operator' | 'processWatch' | 'approver' | 'questioner'> {
  const streams = () => ({ input: process.stdin, output: process.stderr });
  const isAtTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true;
  const operator = lazyPort<App['operator']>(async () => {
    const { operatorName } = await import('../adapters/system/account.ts');
    const { systemProcessTable: processTable } = await import('../adapters/system/process-table.ts');
    const { operatorPresence } = await import('../domain/approvals/operator/operator-presence.ts');
    return {
      name: operatorName,
      presence: () => operatorPresence({ environment, processTable, isAtTerminal }),
    };
  });
  return {
    operator,
    processWatch: lazyPort<App['processWatch']>(
      async () => (await import('../adapters/system/process-watch.ts')).systemProcessWatch,
    ),
    approver: lazyPort<App['approver']>(async () => {
      const { terminalApprover } = await import('../adapters/terminal/approver.ts');
      return terminalApprover(streams(), operator);
    }),
    questioner: lazyPort<App['questioner']>(async () =>
      (await import('../adapters/terminal/questioner.ts')).terminalQuestioner(streams(), operator),
    ),
  };
}
