/** Files of the reference library as something to search. */

import { passageCitation, standingOf } from '../references/search/reference-hit.ts';
import { distrust } from '../references/search/search-references.ts';
import { freshnessAt } from '../references/topic/staleness.ts';
import { type ReferenceTopic, topicId } from '../references/topic/topic.ts';
import type { StoredChunk } from './index-item.ts';
import { linesOf, passageUri } from './reference-index.ts';
import { FILES, versionIn } from './reference-items.ts';
import type { SearchSource } from './search-source.ts';

/** Greater than any distrust there is. */
const MOST_DISTRUST = 100;

/** Obsolete topics, and those that cannot be read, are not found. */
export function referenceSource(topics: readonly ReferenceTopic[], now: number): SearchSource {
  const byId = new Map(topics.map((topic) => [topicId(topic), topic]));
  const of = ({ topic }: Pick<StoredChunk, 'topic'>) => byId.get(topic);
  return {
    name: 'refs',
    indexNames: Object.values(FILES),
    isHidden: (group) => of(group) === undefined || of(group)?.status === 'obsolete',
    citationOf: (chunk) =>
      passageCitation({
        uri: passageUri(chunk),
        path: chunk.path,
        lines: linesOf(chunk),
        ...versionIn(chunk),
      }),
    tierOf: (chunk) => {
      const topic = of(chunk);
      return topic && !freshnessAt(topic, now).isStale ? 'reference' : 'stale';
    },
    distrustOf: (chunk) => {
      const topic = of(chunk);
      return topic ? distrust(topic, now) / MOST_DISTRUST : 0;
    },
    standingOf: (chunk) => {
      const topic = of(chunk);
      return topic ? standingOf(topic, now) : { freshness: { status: 'stale' }, trust: { tier: 'stale' } };
    },
  };
}
