import { Fault } from '../../../base/fault.ts';
import type { JobProgress, ReportProgress } from '../../approvals/job.ts';
import type { IndexProgress, ReferenceIndex } from '../search/reference-index.ts';
import { type ReferenceTopic, topicId } from '../topic/topic.ts';

/** Indexes what the library has. What cannot be indexed now is, by the next search: the topic is there all the same. */
export async function makeSearchable(
  { referenceIndex }: { readonly referenceIndex: ReferenceIndex },
  topic: Pick<ReferenceTopic, 'slug'>,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{ readonly chunkCount: number; readonly warning: readonly string[] }> {
  try {
    await report({ phase: 'chunks', done: 0 });
    const onProgress = (progress: IndexProgress) => passOn(report, progress);
    await referenceIndex.sync({ onProgress, replacesVectors: true }, signal);
    const counts = await referenceIndex.chunkCounts();
    return { chunkCount: counts.get(topicId(topic)) ?? 0, warning: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    return {
      chunkCount: 0,
      warning: [`it is kept but not searchable yet: ${error.message.replace(/\.$/, '')}`],
    };
  }
}

/** From where nobody can wait. A report that cannot be kept is no reason to stop what it is about. */
export function passOn(report: ReportProgress, progress: JobProgress): void {
  report(progress).catch(() => {});
}
