import { Fault } from '../../../base/fault.ts';
import type { JobProgress, ReportProgress } from '../../approvals/job.ts';
import type { IndexProgress, ReferenceIndex } from '../search/reference-index.ts';
import { type ReferenceTopic, topicId } from '../topic/topic.ts';

/** Indexes the library. On a fault the topic stays, and the next search indexes it. */
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

/** Reports progress from synchronous code. A failed report never stops the work. */
export function passOn(report: ReportProgress, progress: JobProgress): void {
  report(progress).catch(() => {});
}
