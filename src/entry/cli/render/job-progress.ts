import type { Clock } from '../../../base/time.ts';
import type { JobProgress } from '../../../domain/approvals/job.ts';
import type { Terminal } from '../terminal.ts';

/** `end` must be called however the job ends. */
export async function jobProgress(
  terminal: Pick<Terminal, 'progress'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ show(progress: JobProgress): void; end(): void }> {
  const shown = await terminal.progress(clock, signal);
  let phase: string | undefined;
  return {
    show(progress) {
      if (progress.phase !== phase) {
        phase = progress.phase;
        const title = `${phase.charAt(0).toUpperCase()}${phase.slice(1)}`;
        shown.phase({ title, total: progress.total, unit: progress.unit });
      }
      shown.update(progress.done, progress.total);
    },
    end: () => shown.end(),
  };
}
