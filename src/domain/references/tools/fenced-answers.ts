import { aboutDataFences, dataFence, FENCE_BYTES, neutralJson } from '../../../base/data-fence.ts';
import type { IdSource } from '../../../base/ids.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { success, type ToolResult } from '../../tools/tool.ts';
import type { ReferenceHit } from '../search/reference-hit.ts';
import type { FoundReferences } from '../search/search-references.ts';
import type { FoundTopic } from '../search/search-topics.ts';
import type { TopicSummary } from '../topic/list-topics.ts';

interface FencePorts {
  readonly ids: IdSource;
}

export function fencedHits(ports: FencePorts, found: FoundReferences): ToolResult {
  const id = ports.ids.token(FENCE_BYTES);
  const data = neutralJson({
    ...found,
    hits: found.hits.map((hit) => fencedHit(id, hit)),
    near_misses: found.near_misses.map((hit) => fencedHit(id, hit)),
  });
  return { outcome: success(found.hits.length > 0 ? hitTexts(id, found.hits) : nearest(id, found)), data };
}

/** The heading is fetched text and stays inside the fence; the title names topic and file. */
function fencedHit(id: string, { text, snippet, ...hit }: ReferenceHit) {
  const title = `${singleLine(hit.topic.title)} › ${singleLine(hit.citation.path)}`;
  const topic = plainSummary(hit.topic);
  return { ...hit, title, topic, snippet: dataFence(id, snippet), text: dataFence(id, text) };
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

function nearest(id: string, { near_misses: near }: FoundReferences): string {
  if (near.length === 0) return 'The reference library has nothing on this.';
  return `Nothing in the reference library answers this. The nearest:\n\n${hitTexts(id, near)}`;
}

/** Neutralises titles and tags: they may come from a page. */
export function plainSummary(summary: TopicSummary): TopicSummary {
  return { ...summary, title: singleLine(summary.title), tags: summary.tags.map(singleLine) };
}

export function fencedTopics(ports: FencePorts, found: readonly FoundTopic[]): readonly object[] {
  const id = ports.ids.token(FENCE_BYTES);
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
