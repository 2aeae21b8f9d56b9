/** One question over everything ken knows: brings the indexes up to date, ranks, and describes the hits. */

import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import { compareCodePoints, estimateTokens, fileOrDirectoryPaths } from '../../../base/text.ts';
import type { Selector } from '../../labels/parse-selector.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { Group } from '../index/index-store.ts';
import type { HitDescription, SearchedIndex, SearchSource, SourceFailure } from '../sources/search-source.ts';
import { type Envelope, type Hit, TRUST_TIERS, type UnavailableSource } from './hit.ts';
import { type SearchEngine, type SearchHit, type SearchResult, withoutNoise } from './search-engine.ts';
import { snippetOf, type TermWeights } from './snippet.ts';

export interface EverythingPorts {
  /** Over the stores of all indexes. */
  readonly engine: SearchEngine;
  readonly indexes: readonly SearchedIndex[];
}

export interface Question {
  readonly text: string;
  readonly limit: number;
  /** Names of the sources to search; absent: all of them. */
  readonly sources?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly labels: Selector;
  readonly explain: boolean;
  /** Hits have their whole text, up to this many estimated tokens together. */
  readonly budget?: number | undefined;
}

const PER_ITEM = 3;

/** Sources that cannot be read are named in the envelope; a Fault when there is nothing else to search. */
export async function searchEverything(
  { engine, indexes }: EverythingPorts,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const wanted = wantedIndexes(indexes, question.sources);
  const failures = await syncAll(wanted, signal);
  const searched = withoutSources(
    wanted,
    failures.map(({ name }) => name),
  );
  const [failure] = failures;
  if (failure && searched.length === 0) throw failure.fault;
  const { result, descriptions } = await rank(engine, searched, question);
  const shown = { descriptions, terms: result.terms, withText: question.budget !== undefined };
  const described = (found: readonly SearchHit[]) => found.flatMap((hit) => hitFrom(hit, shown));
  const hits = described(withoutNoise(result.hits));
  return {
    hits: question.budget === undefined ? hits : withinBudget(hits, question.budget),
    abstained: result.hasAbstained,
    near_misses: described(result.nearMisses),
    ...(failure && { unavailable: failures.map(unavailable) }),
  };
}

async function syncAll(indexes: readonly SearchedIndex[], signal: AbortSignal): Promise<SourceFailure[]> {
  const failures: SourceFailure[] = [];
  for (const { sources, sync } of indexes) {
    const names = sources.map(({ name }) => name);
    failures.push(...(await sync(names, signal)));
  }
  return failures;
}

function unavailable({ name, fault: { message, hint } }: SourceFailure): UnavailableSource {
  return { in: name, message, ...(hint !== undefined && { hint }) };
}

type Descriptions = ReadonlyMap<StoredChunk, HitDescription>;

async function rank(
  engine: SearchEngine,
  indexes: readonly SearchedIndex[],
  question: Question,
): Promise<{ readonly result: SearchResult; readonly descriptions: Descriptions }> {
  const isSearched = searchedBy(indexes);
  const { paths = [], labels, topic } = question;
  const hasPaths = paths.length > 0;
  const topics = new Set<string>();
  const descriptions = new Map<StoredChunk, HitDescription>();
  const result = await engine.search({
    question: question.text,
    limit: question.limit,
    stores: indexes.map(({ store }) => store),
    perItem: PER_ITEM,
    explain: question.explain,
    isWantedGroup(group) {
      if (!isSearched(group)) return false;
      topics.add(group.topic);
      return topic === undefined || group.topic === topic;
    },
    ...((hasPaths || labels.length > 0) && {
      filter: {
        ...(hasPaths && { paths: fileOrDirectoryPaths(paths) }),
        ...(labels.length > 0 && { labels }),
      },
    }),
    async distrustOf(chunks) {
      await describe(indexes, chunks, descriptions);
      return chunks.map((chunk) => distrustOf(descriptions.get(chunk)));
    },
  });
  if (topic !== undefined && !topics.has(topic)) throw noSuchTopic(topic, topics);
  if (hasPaths && labels.length === 0 && result.isFilteredOut) throw nothingAt(paths);
  return { result, descriptions };
}

async function describe(
  indexes: readonly SearchedIndex[],
  chunks: readonly StoredChunk[],
  descriptions: Map<StoredChunk, HitDescription>,
): Promise<void> {
  const byName = sourcesByName(indexes);
  for (const [name, found] of Map.groupBy(chunks, ({ source }) => source)) {
    const described = (await byName.get(name)?.describe(found)) ?? [];
    for (const [at, description] of described.entries()) {
      const chunk = found[at];
      if (chunk) descriptions.set(chunk, description);
    }
  }
}

function distrustOf(description: HitDescription | undefined): number {
  return TRUST_TIERS.indexOf(description?.trust.tier ?? 'stale') + (description?.distrust ?? 0);
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

interface Shown {
  readonly descriptions: Descriptions;
  readonly terms: TermWeights;
  readonly withText: boolean;
}

function hitFrom(hit: SearchHit, { descriptions, terms, withText }: Shown): Hit[] {
  const { chunk, score, explanation } = hit;
  const description = descriptions.get(chunk);
  if (!description) return [];
  const { distrust: _, ...described } = description;
  return [
    {
      kind: chunk.kind,
      id: chunk.id,
      title: titleOf(chunk),
      snippet: snippetOf(chunk, terms),
      ...(withText && { text: chunk.body }),
      score: Math.round(score * 1000) / 1000,
      ...described,
      ...(explanation && { explain: explanation }),
    },
  ];
}

/** With the headings above the chunk. */
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

/**
 * `names` are those of the sources; absent: all of them. What is empty is left out. A Fault when
 * there is none of a name.
 */
export function wantedIndexes(
  indexes: readonly SearchedIndex[],
  names: readonly string[] | undefined,
): SearchedIndex[] {
  const known = indexes.flatMap(({ sources }) => sources.map(({ name }) => name));
  const stray = names?.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw new Fault('search/unknown-source', `"${stray}" is nothing that can be searched.`, {
      hint: didYouMean(stray, known) ?? `Search in: ${known.join(', ')}.`,
    });
  }
  return indexes
    .map((index) => ({
      ...index,
      sources: index.sources.filter(({ name }) => !names || names.includes(name)),
    }))
    .filter(({ sources, isEmpty }) => sources.length > 0 && !isEmpty);
}

/** The indexes without the sources of these names. */
export function withoutSources(
  indexes: readonly SearchedIndex[],
  names: readonly string[],
): readonly SearchedIndex[] {
  if (names.length === 0) return indexes;
  return indexes
    .map((index) => ({ ...index, sources: index.sources.filter(({ name }) => !names.includes(name)) }))
    .filter(({ sources }) => sources.length > 0);
}

/** By the names under which their items are indexed. */
export function sourcesByName(indexes: readonly SearchedIndex[]): ReadonlyMap<string, SearchSource> {
  const sources = indexes.flatMap((index) => index.sources);
  return new Map(
    sources.flatMap((source) => (source.indexNames ?? [source.name]).map((name) => [name, source])),
  );
}

/** Whether a group belongs to one of the sources and may be found. */
export function searchedBy(indexes: readonly SearchedIndex[]): (group: Group) => boolean {
  const byName = sourcesByName(indexes);
  return (group) => {
    const source = byName.get(group.source);
    return source !== undefined && !source.isHidden?.(group);
  };
}
