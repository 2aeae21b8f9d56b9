import { Fault } from '../../base/fault.ts';
import type { Clock } from '../../base/time.ts';
import type { Approval } from './approval.ts';
import { settledFault } from './approval-fault.ts';
import type { JobEnd, ProcessWatch, ReportProgress, WorkResult } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface JobPorts {
  readonly jobs: JobStore;
  readonly processWatch: ProcessWatch;
  readonly clock: Clock;
}

/** Returns the result of `work`, and records how it ends, also when it throws. */
export async function runJob(
  ports: JobPorts,
  approval: Approval,
  work: (report: ReportProgress, signal: AbortSignal) => Promise<WorkResult>,
  signal: AbortSignal,
): Promise<WorkResult> {
  const { id, workspace, summary } = approval;
  const owner = await ports.processWatch.self();
  const isFirst = await ports.jobs.start({
    id,
    workspace,
    title: summary,
    owner,
    started: ports.clock.now(),
  });
  if (!isFirst) throw settledFault(approval);
  const cancel = new AbortController();
  const report = storedProgress(ports, id, () => cancel.abort(cancelled(id)));
  try {
    const result = await work(report, AbortSignal.any([signal, cancel.signal]));
    await ports.jobs.finish(id, { status: 'done', finished: ports.clock.now(), result });
    return result;
  } catch (error) {
    await ports.jobs.finish(id, endFor(error, ports.clock.now(), signal.aborted || cancel.signal.aborted));
    throw error;
  }
}

/** Written at most four times a second, and whenever a phase begins. */
const REPORT_EVERY_MS = 250;

function storedProgress({ jobs, clock }: JobPorts, id: string, onCancel: () => void): ReportProgress {
  let lastPhase = '';
  let lastTime = Number.NEGATIVE_INFINITY;
  return async (progress) => {
    const now = clock.now();
    if (progress.phase === lastPhase && now - lastTime < REPORT_EVERY_MS) return;
    lastPhase = progress.phase;
    lastTime = now;
    const { isCancelRequested } = await jobs.report(id, progress, now);
    if (isCancelRequested) onCancel();
  };
}

export function endFor(error: unknown, finished: number, isCancelled: boolean): JobEnd {
  if (isCancelled) return { status: 'cancelled', finished };
  return { status: 'failed', finished, message: error instanceof Error ? error.message : String(error) };
}

function cancelled(id: string): Fault {
  return new Fault('approvals/cancelled', `Job ${id} was cancelled.`);
}
