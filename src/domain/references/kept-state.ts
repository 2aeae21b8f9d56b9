/** What a topic has of one source. */

import type { InspectedFiles } from './inspect-files.ts';
import type { LockedFile, SkippedFile, TopicLock } from './lock.ts';
import { addressOf, type TopicSource } from './topic.ts';

export interface KeptState {
  /** Their content is there, as it was fetched. */
  readonly intact: readonly LockedFile[];
  /** Their content is gone, or is not what was fetched. */
  readonly lost: readonly LockedFile[];
  readonly skipped: readonly SkippedFile[];
}

export const NOTHING_KEPT: KeptState = { intact: [], lost: [], skipped: [] };

/** `directory` is where the source's files are, below the topic's. */
export function keptOf(
  { intact, missing, changed }: InspectedFiles,
  { skipped }: Pick<TopicLock, 'skipped'>,
  source: TopicSource,
  directory: string,
): KeptState {
  const isOf = (file: Pick<LockedFile, 'path' | 'source'>) =>
    file.source === addressOf(source) && file.path.startsWith(directory);
  return {
    intact: intact.filter(isOf),
    lost: [...missing, ...changed].filter(isOf),
    skipped: skipped.filter(isOf),
  };
}
