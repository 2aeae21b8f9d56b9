/** What was fetched, on its way to a model: fenced, and with where it is from outside of the fence. */

import { aboutDataFences, dataFence, FENCE_BYTES } from '../../../base/data-fence.ts';
import type { IdSource } from '../../../base/ids.ts';
import { neutralJson } from '../../../base/neutral-json.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { success, type ToolResult } from '../../tools/tool.ts';
import type { ReferenceHit } from '../search/reference-hit.ts';
import type { FoundReferences } from '../search/search-references.ts';
import type { FoundTopic } from '../search/search-topics.ts';
import type { TopicSummary } from '../topic/list-topics.ts';

interface FencePorts {
  readonly ids: IdSource;
}

/** The same envelope as everywhere, each fetched text in its fence. */
export function fencedPassages(ports: FencePorts, found: FoundReferences): ToolResult {
  const id = ports.ids.token(FENCE_BYTES);
  const data = neutralJson({
    ...found,
    hits: found.hits.map((hit) => fencedHit(id, hit)),
    near_misses: found.near_misses.map((hit) => fencedHit(id, hit)),
  });
  return { outcome: success(found.hits.length > 0 ? passages(id, found.hits) : nothing(found)), data };
}

/** A heading is the source's word as well, so a title tells the topic and the file. */
function fencedHit(id: string, { text, snippet, ...hit }: ReferenceHit) {
  const title = `${singleLine(hit.topic.title)} › ${singleLine(hit.citation.path)}`;
  const topic = plainSummary(hit.topic);
  return { ...hit, title, topic, snippet: dataFence(id, snippet), text: dataFence(id, text) };
}

function passages(id: string, hits: readonly ReferenceHit[]): string {
  return [
    aboutDataFences(id),
    ...hits.map((hit, at) => `[${at + 1}] ${standing(hit)}\n${dataFence(id, hit.text)}`),
  ].join('\n\n');
}

/** An address of ours, whose parts are percent-encoded, and words of ours. */
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

function nothing({ abstained, near_misses: near }: FoundReferences): string {
  const said = abstained
    ? 'Nothing in the reference library is near enough to be an answer.'
    : 'The reference library has nothing on this.';
  const nearest = near.map(({ citation }) => citation.uri);
  return nearest.length > 0 ? `${said} The nearest, for what it is worth:\n${nearest.join('\n')}` : said;
}

/** Titles and tags may have been copied from a page. */
export function plainSummary(summary: TopicSummary): TopicSummary {
  return { ...summary, title: singleLine(summary.title), tags: summary.tags.map(singleLine) };
}

/** As the tool's answer has them: what is said about a topic, its score, and what matched best, in a fence. */
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
