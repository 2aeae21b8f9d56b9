import type { Approval } from './approval.ts';
import type { ReportProgress, WorkResult } from './job.ts';
import type { ReasonType } from './reason.ts';

/**
 * What an approval of one kind sets going in the operator's own process, there and then. Kinds without any wait
 * until whoever asked tries again.
 */
export interface WaitingWork {
  readonly reason: ReasonType;
  /** Does what `approval.request` says, which by now has been used up, and nothing else. */
  run(approval: Approval, report: ReportProgress, signal: AbortSignal): Promise<WorkResult>;
}
