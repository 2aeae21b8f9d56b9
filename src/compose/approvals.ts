import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemClock, systemHasher } from '../adapters/system/primitives.ts';
import type { App } from '../app.ts';
import { type LazyResource, lazyPort, lazyResource, untilMade } from '../base/lazy.ts';
import type { Surroundings } from './part.ts';

export type ApprovalStores = Pick<
  App,
  | ('operator' | 'trust' | 'approvals' | 'jobs' | 'toolPins' | 'processWatch' | 'approver' | 'questioner')
  | ('lock' | 'decisionLog' | 'standingApprovals')
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
  const lock = lazyResource(openLock);
  const signed = signedStores(directories.data, database, lock);
  const jobs = lazyPort<App['jobs']>(async () =>
    (await import('../adapters/sqlite/approvals/job-store.ts')).sqliteJobStore(await database.use()),
  );
  return {
    trust: untilMade(isMade, signed.trust, {
      get: nothing,
      revoke: async () => false,
      list: async () => [],
    }),
    toolPins: untilMade(isMade, signed.toolPins, {
      get: nothing,
      list: async () => [],
      remove: async () => false,
    }),
    approvals: untilMade(isMade, signed.approvals, {
      get: nothing,
      list: async () => [],
      consume: nothing,
    }),
    standingApprovals: untilMade(isMade, signed.standingApprovals, {
      find: nothing,
      list: async () => [],
      revoke: async () => false,
    }),
    jobs: untilMade(isMade, jobs, { get: nothing, list: async () => [] }),
    decisionLog: untilMade(isMade, signed.decisionLog, { list: async () => [], lastNumber: async () => 0 }),
    lock: lazyPort<App['lock']>(() => lock.use()),
    ...openOperator(surroundings, lock),
  };
}

type OpenLock = Awaited<ReturnType<typeof openLock>>;
type OpenDatabase = Parameters<
  typeof import('../adapters/sqlite/approvals/approval-store.ts')['sqliteApprovalStore']
>[0];

/** Everything that decides something is signed while the lock is on, and logged always. */
function signedStores(
  data: string,
  database: LazyResource<OpenDatabase>,
  lock: LazyResource<OpenLock>,
): Pick<App, 'trust' | 'toolPins' | 'approvals' | 'decisionLog' | 'standingApprovals'> {
  const opened = lazyResource(async () => {
    const { sqliteDecisionLog, sqliteJournal } = await import('../adapters/sqlite/approvals/decision-log.ts');
    const { logOrigin } = await import('../adapters/system/process-stat.ts');
    const { realPath } = await import('../adapters/paths/real-path.ts');
    const signing = await import('../domain/approvals/lock/signed-stores.ts');
    const store = await database.use();
    const key = await lock.use();
    const ports = { lock: key, hasher: systemHasher, scope: realPath(data) };
    const journal = sqliteJournal(store, { hasher: systemHasher, origin: logOrigin, seal: key.seal });
    return { store, journal, signing, ports, decisionLog: sqliteDecisionLog(store, journal) };
  });
  return {
    trust: lazyPort(async () => {
      const { sqliteTrustStore } = await import('../adapters/sqlite/approvals/trust-store.ts');
      const { store, journal, signing, ports } = await opened.use();
      return signing.signedTrust(ports, sqliteTrustStore(store, systemClock, journal));
    }),
    toolPins: lazyPort(async () => {
      const { sqliteToolPinStore } = await import('../adapters/sqlite/approvals/tool-pin-store.ts');
      const { store, journal, signing, ports } = await opened.use();
      return signing.signedToolPins(ports, sqliteToolPinStore(store, systemClock, journal));
    }),
    approvals: lazyPort(async () => {
      const { sqliteApprovalStore } = await import('../adapters/sqlite/approvals/approval-store.ts');
      const { store, journal, signing, ports } = await opened.use();
      return signing.signedApprovals(ports, sqliteApprovalStore(store, journal));
    }),
    standingApprovals: lazyPort(async () => {
      const { sqliteStandingApprovals } = await import('../adapters/sqlite/approvals/standing-approvals.ts');
      const { store, journal, signing, ports } = await opened.use();
      return signing.signedStandingApprovals(ports, sqliteStandingApprovals(store, journal));
    }),
    decisionLog: lazyPort(async () => (await opened.use()).decisionLog),
  };
}

/** The lock of the account as the system lists it: no variable leads elsewhere. */
async function openLock() {
  const { approvalsLock } = await import('../adapters/lock/approvals-lock.ts');
  const { listedAccount } = await import('../adapters/system/account.ts');
  return approvalsLock({
    account: listedAccount,
    systemDirectory: '/etc/ken',
    clock: systemClock,
    async askPassphrase(prompt) {
      const { oneAtATime, readSecret } = await import('../adapters/terminal/read-line.ts');
      const streams = { input: process.stdin, output: process.stderr };
      return oneAtATime(streams.input, () => readSecret(streams, prompt, new AbortController().signal));
    },
    async writeFile(file, content, mode) {
      const { writeAtomically } = await import('../adapters/files/atomic-write.ts');
      await writeAtomically(file, content, { mode, follow: 'directories' });
    },
  });
}

function openOperator(
  { request: { environment } }: Surroundings,
  lock: LazyResource<OpenLock>,
): Pick<App, 'operator' | 'processWatch' | 'approver' | 'questioner'> {
  const streams = () => ({ input: process.stdin, output: process.stderr });
  const isAtTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true;
  const operator = lazyPort<App['operator']>(async () => {
    const { operatorName } = await import('../adapters/system/account.ts');
    const { systemProcessTable: processTable } = await import('../adapters/system/process-table.ts');
    const { ownTerminal } = await import('../adapters/system/process-stat.ts');
    const { operatorPresence } = await import('../domain/approvals/operator/operator-presence.ts');
    const ports = { environment, processTable, isAtTerminal, lock: lazyPort<App['lock']>(() => lock.use()) };
    return {
      name: operatorName,
      presence: (purpose) => operatorPresence(ports, purpose),
      terminal: async () => ownTerminal(environment),
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
