import {
  aboutDataFences,
  dataFence,
  FENCE_BYTES,
  nearestAnswer,
  neutralJson,
} from '../../../base/data-fence.ts';
import type { IdSource } from '../../../base/ids.ts';
import { withoutNulls } from '../../../base/json.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { success, type ToolResult } from '../../tools/tool.ts';
import type { ReferenceHit } from '../search/reference-hit.ts';
import type { FoundReferences } from '../search/search-references.ts';
import type { FoundTopic } from '../search/search-topics.ts';
import type { TopicSummary } from '../topic/list-topics.ts';

interface FencePorts {
  readonly ids: IdSource;
}

export function fencedHits(
  ports: FencePorts,
  { outcome, hits, near_misses: near }: FoundReferences,
  hasDetails: boolean,
): ToolResult {
  const id = ports.ids.token(FENCE_BYTES);
  if (outcome === 'nothing' || (hits.length === 0 && near.length === 0)) {
    const text = 'The reference library has nothing on this.';
    return { outcome: success(text), data: { outcome: 'nothing', text } };
  }
  if (outcome === 'nearest') {
    const found = near.map(({ citation, title }) => ({ uri: citation.uri, title }));
    const lead = 'Nothing in the reference library answers this. These are the nearest;';
    const { text, data } = nearestAnswer(id, lead, found);
    return { outcome: success(text), data };
  }
  const data = { outcome, text: aboutDataFences(id), hits: hits.map((hit) => leanHit(id, hit, hasDetails)) };
  return { outcome: success(hitTexts(id, hits)), data };
}

/** Title and heading are fetched text and stay inside the fence. */
function leanHit(
  id: string,
  { text, citation, freshness, trust, score, topic }: ReferenceHit,
  hasDetails: boolean,
) {
  const { uri, ...place } = citation;
  const details = { score, citation: place, freshness, topic: plainSummary(topic) };
  return {
    uri,
    trust: trust.score,
    ...(freshness.fetched_at !== undefined && { fetched: freshness.fetched_at.slice(0, 10) }),
    ...(freshness.stale_since !== undefined && { stale_since: freshness.stale_since.slice(0, 10) }),
    text: dataFence(id, text),
    ...(hasDetails && { details: withoutNulls(neutralJson(details)) }),
  };
}

function hitTexts(id: string, hits: readonly ReferenceHit[]): string {
  return [
    aboutDataFences(id),
    ...hits.map((hit, at) => `[${at + 1}] ${standing(hit)}\n${dataFence(id, hit.text)}`),
  ].join('\n\n');
}

/** Safe outside the fence: a percent-encoded URI and words of ken's own. */
function standing({ citation, freshness, trust, score }: ReferenceHit): string {
  const words = [
    citation.uri,
    ...(citation.commit === undefined ? [] : [`commit ${citation.commit}`]),
    `lines ${citation.lines.first}-${citation.lines.last}`,
    ...(freshness.fetched_at === undefined ? [] : [`fetched ${freshness.fetched_at}`]),
    ...(freshness.stale_since === undefined ? [] : [`stale since ${freshness.stale_since}`]),
    `trust ${trust.score} of 10`,
    `score ${score.toFixed(2)}`,
  ];
  return words.join(', ');
}

/** Neutralises titles and tags: they may come from a page. */
export function plainSummary(summary: TopicSummary): TopicSummary {
  return { ...summary, title: singleLine(summary.title), tags: summary.tags.map(singleLine) };
}

export function fencedTopics(id: string, found: readonly FoundTopic[]): readonly object[] {
  return found.map(
    ({ topic_id, title, status, is_stale, stale_since, fetched_at, tags, score, snippet }) => ({
      topic_id,
      title: singleLine(title),
      status,
      is_stale,
      ...(stale_since !== undefined && { stale_since }),
      fetched_at,
      tags: tags.map(singleLine),
      score,
      snippet: dataFence(id, snippet),
    }),
  );
}
