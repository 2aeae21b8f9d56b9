import type { Clock } from '../../../base/time.ts';
import type { ReportProgress } from '../../approvals/job.ts';
import { passOn } from '../lifecycle/make-searchable.ts';
import type { FetchLimits } from '../lifecycle/topic-request.ts';
import { NOTHING_KEPT } from '../topic/inspect-files.ts';
import { sourceDirectories } from '../topic/layout.ts';
import type { StagedTopic } from '../topic/library.ts';
import type { TopicSource } from '../topic/topic.ts';
import { type GatheredSource, gatherSource } from './gather-source.ts';
import { planSource, type SourcePorts } from './plan-source.ts';

export interface GatherAll {
  readonly sources: readonly TopicSource[];
  readonly limits: FetchLimits;
  readonly staged: StagedTopic;
}

/** Gathers the sources one by one, web pages last since their names give way. Results keep the given order. */
export async function gatherSources(
  ports: SourcePorts & { readonly clock: Clock },
  { sources, limits, staged }: GatherAll,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<GatheredSource[]> {
  const directories = sourceDirectories(sources);
  const gathered: GatheredSource[] = [];
  const taken = new Set<string>();
  let files = 0;
  for (const at of pagesLast(sources)) {
    const [source, directory = ''] = [sources[at], directories[at]];
    if (!source) continue;
    const onReceived = (bytes: number) => passOn(report, { phase: 'received', done: bytes, unit: 'bytes' });
    const request = { source, directory, before: NOTHING_KEPT, isIncomplete: false, limits, onReceived };
    await report({ phase: 'received', done: 0, unit: 'bytes' });
    const plan = await planSource(ports, request, signal);
    const onFile = () => {
      files += 1;
      passOn(report, { phase: 'files', done: files });
    };
    const now = ports.clock.now();
    gathered[at] = await gatherSource(
      ports,
      plan,
      { staged, slug: undefined, limits, now, taken, onFile },
      signal,
    );
    signal.throwIfAborted();
  }
  return gathered;
}

export function pagesLast(sources: readonly TopicSource[]): number[] {
  const rank = (at: number) => (sources[at]?.type === 'web' ? 1 : 0);
  return sources.map((_, at) => at).sort((a, b) => rank(a) - rank(b));
}
