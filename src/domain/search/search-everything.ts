/** One question over everything ken knows. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { compareCodePoints, estimateTokens } from '../../base/text.ts';
import { writtenPaths } from '../../base/written-paths.ts';
import type { Selector } from '../labels/selector.ts';
import type { Embedder } from './embedder.ts';
import { type Envelope, type Hit, TRUST_TIERS } from './hit.ts';
import { type SearchHit, searchEngine } from './search-engine.ts';
import type { SearchedIndex, SearchSource } from './search-source.ts';
import { snippetOf, type TermWeights } from './snippet.ts';
import { searchedBy, sourcesByName } from './wanted-indexes.ts';
import { withoutNoise } from './without-noise.ts';

export interface EverythingPorts {
  readonly embedder: Embedder | undefined;
  readonly indexes: readonly SearchedIndex[];
}

export interface Question {
  readonly text: string;
  readonly limit: number;
  readonly topic?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly labels: Selector;
  readonly explain: boolean;
  /** With whole passages, and no more of them than this many estimated tokens. */
  readonly budget?: number | undefined;
}

const PER_ITEM = 3;

/** The indexes must be in step with their sources; only those sources are searched. */
export async function searchEverything(ports: EverythingPorts, question: Question): Promise<Envelope> {
  const byName = sourcesByName(ports.indexes);
  const isSearched = searchedBy(ports.indexes);
  const { paths = [], labels, topic, budget } = question;
  const hasPaths = paths.length > 0;
  const stores = ports.indexes.map(({ store }) => store);
  const topics = new Set<string>();
  const result = await searchEngine({ stores, embedder: ports.embedder }).search({
    question: question.text,
    limit: question.limit,
    perItem: PER_ITEM,
    explain: question.explain,
    isWantedGroup(group) {
      if (!isSearched(group)) return false;
      topics.add(group.topic);
      return topic === undefined || group.topic === topic;
    },
    ...((hasPaths || labels.length > 0) && {
      filter: { ...(hasPaths && { paths: writtenPaths(paths) }), ...(labels.length > 0 && { labels }) },
    }),
    async look(chunks) {
      for (const [name, found] of Map.groupBy(chunks, ({ source }) => source))
        await byName.get(name)?.look?.(found);
    },
    tierOf: (chunk) => {
      const source = byName.get(chunk.source);
      return TRUST_TIERS.indexOf(source?.tierOf(chunk) ?? 'stale') + (source?.distrustOf?.(chunk) ?? 0);
    },
  });
  if (topic !== undefined && !topics.has(topic)) throw noSuchTopic(topic, topics);
  if (hasPaths && labels.length === 0 && result.isFilteredOut) throw nothingAt(paths);
  const shown = { terms: result.terms, withText: budget !== undefined };
  const envelope = (hits: readonly SearchHit[]) => hits.flatMap((hit) => hitOf(byName, hit, shown));
  const hits = envelope(withoutNoise(result.hits));
  return {
    hits: budget === undefined ? hits : withinBudget(hits, budget),
    abstained: result.hasAbstained,
    near_misses: envelope(result.nearMisses),
  };
}

function noSuchTopic(topic: string, topics: ReadonlySet<string>): Fault {
  const known = [...topics].filter((each) => each !== '').sort(compareCodePoints);
  const all = known.length > 0 ? `Topics: ${known.join(', ')}.` : undefined;
  const hint = didYouMean(topic, known) ?? all;
  const message = `Nothing that is searched is in a topic "${topic}".`;
  return new Fault('search/unknown-topic', message, hint === undefined ? {} : { hint });
}

function nothingAt(paths: readonly string[]): Fault {
  return new Fault('search/unknown-path', `Nothing that is searched is at ${paths.join(' or ')}.`, {
    hint: 'Paths are those of the hits; a directory ends in "/".',
  });
}

function hitOf(
  sources: ReadonlyMap<string, SearchSource>,
  hit: SearchHit,
  { terms, withText }: { readonly terms: TermWeights; readonly withText: boolean },
): Hit[] {
  const { chunk, score, explanation } = hit;
  const source = sources.get(chunk.source);
  if (!source) return [];
  return [
    {
      kind: chunk.kind,
      id: chunk.id,
      title: titleOf(chunk),
      snippet: snippetOf(chunk, terms),
      ...(withText && { text: chunk.body }),
      score: Math.round(score * 1000) / 1000,
      citation: source.citationOf(chunk),
      freshness: { status: 'current' },
      trust: { tier: source.tierOf(chunk) },
      ...source.standingOf?.(chunk),
      ...(explanation && { explain: explanation }),
    },
  ];
}

/** With the headings between the top of the file and the passage. */
function titleOf({ kind, title, path, heading }: SearchHit['chunk']): string {
  if (kind === 'chunk') return [title, path, heading].filter((part) => part !== '').join(' › ');
  if (kind === 'turn' || kind === 'entry' || heading === '' || heading === title) return title;
  return heading.startsWith(`${title} › `) ? heading : `${title} › ${heading}`;
}

function withinBudget(hits: readonly Hit[], budget: number): Hit[] {
  let left = budget;
  return hits.filter(({ text = '' }) => {
    const cost = estimateTokens(text);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
