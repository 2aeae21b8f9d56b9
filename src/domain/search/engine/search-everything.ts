import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import { compareCodePoints, estimateTokens, fileOrDirectoryPaths } from '../../../base/text.ts';
import type { Selector } from '../../labels/parse-selector.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { Group } from '../index/index-store.ts';
import type { HitDescription, SearchedIndex, SearchSource, SourceFailure } from '../sources/search-source.ts';
import { type Envelope, type Hit, TRUST_TIERS, type UnavailableSource } from './hit.ts';
import {
  type SearchEngine,
  type SearchHit,
  type SearchResult,
  shownChance,
  shownOf,
  withoutNoise,
} from './search-engine.ts';
import { shortenedText, snippetAndLine, type TermWeights } from './snippet.ts';

export interface EverythingPorts {
  /** The engine must search the stores of all indexes. */
  readonly engine: SearchEngine;
  readonly indexes: readonly SearchedIndex[];
}

export interface Question {
  readonly text: string;
  readonly limit: number;
  /** All when absent. */
  readonly sources?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Patterns of paths that are left out, as in `.gitignore`. */
  readonly exclude?: readonly string[] | undefined;
  readonly labels: Selector;
  readonly explain: boolean;
  /** Limit of estimated tokens for the whole texts of all hits together. */
  readonly budget?: number | undefined;
}

const PER_ITEM = 3;

/** Names sources that cannot be read in the envelope; a Fault when there is nothing else to search. */
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
  const { result, descriptions } = await rankWhole(engine, searched, question, signal);
  const { outcome, terms } = result;
  const described = (found: readonly SearchHit[]) =>
    withinBudget(found, question.budget).flatMap((hit) => hitFrom(hit, { descriptions, terms }));
  return {
    outcome,
    hits: described(withoutNoise(result.hits)),
    abstained: outcome !== 'answers',
    near_misses: described(shownOf(outcome, result.nearMisses)),
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

/** An index that was found damaged while it was asked is empty, so it is filled and asked once more. */
async function rankWhole(
  engine: SearchEngine,
  indexes: readonly SearchedIndex[],
  question: Question,
  signal: AbortSignal,
): ReturnType<typeof rank> {
  const ranked = await rank(engine, indexes, question);
  if (ranked.result.hits.length > 0) return ranked;
  const segments = await Promise.all(indexes.map(({ store }) => store.segments()));
  if (segments.every(({ length }) => length > 0)) return ranked;
  await syncAll(indexes, signal);
  return rank(engine, indexes, question);
}

type Descriptions = ReadonlyMap<StoredChunk, HitDescription>;

async function rank(
  engine: SearchEngine,
  indexes: readonly SearchedIndex[],
  question: Question,
): Promise<{ readonly result: SearchResult; readonly descriptions: Descriptions }> {
  const isSearched = searchedBy(indexes);
  const { paths = [], labels, topic, exclude = [] } = question;
  const hasPaths = paths.length > 0;
  const excluded =
    exclude.length > 0 ? (await import('./excluded-paths.ts')).excludedPaths(exclude) : undefined;
  const topics = new Set<string>();
  const descriptions = new Map<StoredChunk, HitDescription>();
  const result = await engine.search({
    question: question.text,
    limit: question.limit,
    stores: indexes.map(({ store }) => store),
    excludedIn: new Map(indexes.flatMap(({ store, excluded: own }) => (own ? [[store, own]] : []))),
    perItem: PER_ITEM,
    explain: question.explain,
    isWantedGroup(group) {
      if (!isSearched(group)) return false;
      topics.add(group.topic);
      // A reference topic is also named without its prefix.
      return topic === undefined || group.topic === topic || group.topic === `topic-${topic}`;
    },
    ...((hasPaths || labels.length > 0 || excluded) && {
      filter: {
        ...(hasPaths && { paths: fileOrDirectoryPaths(paths) }),
        ...(excluded && { excluded }),
        ...(labels.length > 0 && { labels }),
      },
    }),
    async distrustOf(chunks) {
      await describe(indexes, chunks, descriptions);
      return chunks.map((chunk) => distrustOf(descriptions.get(chunk)));
    },
  });
  if (topic !== undefined && !topics.has(topic) && !topics.has(`topic-${topic}`))
    throw noSuchTopic(topic, topics);
  if (hasPaths && labels.length === 0 && !excluded && result.isFilteredOut) throw nothingAt(paths);
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
  return new Fault('search/unknown-path', `Nothing is indexed at ${paths.join(' or ')}.`, {
    hint: 'Paths are those of the hits; a directory ends in "/".',
  });
}

interface Shown {
  readonly descriptions: Descriptions;
  readonly terms: TermWeights;
}

function hitFrom({ hit, tokens }: BudgetedHit, { descriptions, terms }: Shown): Hit[] {
  const { chunk, chance, explanation } = hit;
  const description = descriptions.get(chunk);
  if (!description) return [];
  const { distrust: _, title, ...described } = description;
  return [
    {
      kind: chunk.kind,
      id: chunk.id,
      title: title ?? titleOf(chunk),
      ...snippetAndLine(chunk, terms),
      ...(tokens !== undefined && { text: shortenedText(chunk, terms, tokens) }),
      score: shownChance(chance),
      ...described,
      ...(explanation && { explain: explanation }),
    },
  ];
}

/** Includes the headings above the chunk. */
function titleOf({ kind, title, path, heading }: SearchHit['chunk']): string {
  if (kind === 'chunk') return [title, path, heading].filter((part) => part !== '').join(' › ');
  if (kind === 'turn' || kind === 'entry' || heading === '' || heading === title) return title;
  return heading.startsWith(`${title} › `) ? heading : `${title} › ${heading}`;
}

interface BudgetedHit {
  readonly hit: SearchHit;
  /** Most tokens of its text; absent when no texts are wanted. */
  readonly tokens?: number;
}

/** A shorter passage says too little. */
const LEAST_TOKENS = 60;

/** Every hit gets an equal share of the budget; the first ones get what others leave. The first is always there. */
function withinBudget(hits: readonly SearchHit[], budget: number | undefined): BudgetedHit[] {
  if (budget === undefined) return hits.map((hit) => ({ hit }));
  const kept = hits.slice(0, Math.max(1, Math.floor(budget / LEAST_TOKENS)));
  const share = Math.floor(budget / Math.max(1, kept.length));
  const costs = kept.map(({ chunk }) => estimateTokens(chunk.body));
  let spare = costs.reduce((left, cost) => left - Math.min(cost, share), budget);
  return kept.map((hit, at) => {
    const more = Math.min(spare, Math.max(0, (costs[at] ?? 0) - share));
    spare -= more;
    return { hit, tokens: Math.min(costs[at] ?? 0, share) + more };
  });
}

/** Leaves out empty indexes. An unknown name is a Fault. */
export function wantedIndexes(
  indexes: readonly SearchedIndex[],
  names: readonly string[] | undefined,
): SearchedIndex[] {
  const known = [...new Set(indexes.flatMap(({ sources }) => sources.map(({ name }) => name)))];
  const stray = names?.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw new Fault('search/unknown-source', `"${stray}" cannot be searched.`, {
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

export function searchedBy(indexes: readonly SearchedIndex[]): (group: Group) => boolean {
  const byName = sourcesByName(indexes);
  return (group) => {
    const source = byName.get(group.source);
    return source !== undefined && !source.isHidden?.(group);
  };
}
