import { Fault } from '../../base/fault.ts';
import { singleLine, truncateText } from '../../base/terminal-text.ts';
import type { Clock } from '../../base/time.ts';
import type { Approval, Decision } from './approval.ts';
import { settledFault } from './approval-fault.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { ApproverAnswer } from './approver.ts';
import type { JobProgress, ReportProgress, WorkResult } from './job.ts';
import { absenceFault, type Presence } from './operator/operator-presence.ts';
import type { ReasonType } from './reason.ts';
import { type JobPorts, runJob } from './run-job.ts';
import { type ApprovalPorts, allowedByConfig } from './seek-approval.ts';

/** By its id or the start of it. */
export async function findApproval(
  ports: { readonly approvals: ApprovalStore; readonly clock: Clock },
  idPrefix: string,
): Promise<Approval> {
  const wanted = idPrefix.toLowerCase();
  const now = ports.clock.now();
  const whole = await ports.approvals.get(wanted, now);
  if (whole) return whole;
  const [first, second] = await ports.approvals.list({ idPrefix: wanted, limit: 2 }, now);
  if (second && wanted !== '') {
    throw new Fault('approvals/ambiguous', `Several approvals begin with "${idPrefix}".`, {
      hint: 'Type more of the id.',
    });
  }
  if (first && wanted !== '') return first;
  throw new Fault('approvals/not-found', `There is no approval "${idPrefix}".`, {
    hint: 'See "ken approvals ls --all".',
  });
}

export interface DecidePorts
  extends Pick<ApprovalPorts, 'approvals' | 'approver' | 'clock' | 'config'>,
    JobPorts {
  readonly waitingWork: readonly WaitingWork[];
  readonly operator: { presence(): Promise<Presence> };
}

export interface Decided {
  readonly approval: Approval;
  readonly work: WorkResult | undefined;
}

/** Asks, records the answer and runs the work that waited for it. Undefined: the operator decided nothing. */
export async function approveInPerson(
  ports: DecidePorts,
  input: { readonly approval: Approval; onProgress?(progress: JobProgress): void },
  signal: AbortSignal,
): Promise<Decided | undefined> {
  const { approval } = input;
  if (approval.state.status !== 'pending') throw settledFault(approval);
  const answer = await answerFor(ports, approval, signal);
  if (answer.verdict === 'nobody') return undefined;
  const work = ports.waitingWork.find(({ reason }) => reason === approval.reason.type);
  const { verdict, ...given } = answer;
  const decision = { ...given, at: ports.clock.now() };
  const isRunNow = verdict === 'approve' && work !== undefined;
  const decided = await decide(
    ports.approvals,
    approval.id,
    isRunNow ? 'approve-and-consume' : verdict,
    decision,
  );
  if (!isRunNow) return { approval: decided, work: undefined };
  return { approval: decided, work: await runWork(ports, { ...input, approval: decided, work }, signal) };
}

/** Needs no terminal, since a denial grants nothing. */
export async function deny(
  ports: { readonly approvals: ApprovalStore; readonly clock: Clock },
  input: { readonly approval: Approval } & Pick<Decision, 'by' | 'note'> & Partial<Pick<Decision, 'through'>>,
): Promise<Approval> {
  const { approval: _, through = 'command', ...given } = input;
  const decision: Decision = { ...given, through, at: ports.clock.now() };
  return decide(ports.approvals, input.approval.id, 'deny', decision);
}

const LONGEST_NOTE = 500;

/** Nothing for a blank one. */
export function noteFrom(text: string | undefined): Pick<Decision, 'note'> {
  const note = truncateText(singleLine(text ?? ''), LONGEST_NOTE);
  return note === '' ? {} : { note };
}

async function answerFor(
  ports: DecidePorts,
  approval: Approval,
  signal: AbortSignal,
): Promise<ApproverAnswer> {
  if (await ports.approver.isThere()) return ports.approver.ask(approval, signal);
  if (ports.config.approvals.noninteractive === 'allow')
    return { verdict: 'approve', ...allowedByConfig(ports.clock) };
  throw absenceFault(await ports.operator.presence(), 'Approving');
}

async function decide(
  approvals: ApprovalStore,
  id: string,
  verdict: 'approve' | 'approve-and-consume' | 'deny',
  decision: Decision,
): Promise<Approval> {
  const result = await approvals.decide({ id, verdict, decision });
  if (!result) throw new Fault('approvals/not-found', `There is no approval "${id}" any more.`);
  if (!result.decided) throw settledFault(result.approval);
  return result.approval;
}

interface ApprovedWork {
  readonly approval: Approval;
  readonly work: WaitingWork;
  onProgress?(progress: JobProgress): void;
}

async function runWork(
  ports: JobPorts,
  { approval, work, onProgress }: ApprovedWork,
  signal: AbortSignal,
): Promise<WorkResult> {
  const run = (report: ReportProgress, stop: AbortSignal) => {
    const shown: ReportProgress = async (progress) => {
      onProgress?.(progress);
      await report(progress);
    };
    return work.run(approval, shown, stop);
  };
  return runJob(ports, approval, run, signal);
}

/** Runs in the operator's own process as soon as it is approved. Without it, the caller has to try again. */
export interface WaitingWork {
  readonly reason: ReasonType;
  /** Does exactly what `approval.request` says. The approval is used up by now. */
  run(approval: Approval, report: ReportProgress, signal: AbortSignal): Promise<WorkResult>;
}
