import type { Glob } from '../../../base/glob.ts';
import { type ParsedQuery, parseQuery } from '../../words/parse-query.ts';
import type { Embedder } from '../index/embedder.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { Group, IndexStore, ItemFilter } from '../index/index-store.ts';
import type { Explanation } from '../ranking/explain-hit.ts';
import { type FusionWeights, MEASURED_WEIGHTS } from '../ranking/fuse-scores.ts';
import { gatherFields } from '../ranking/gather-fields.ts';
import { type HitSignals, orderReader, signalReader } from '../ranking/hit-signals.ts';
import { IndexReader } from '../ranking/index-reader.ts';
import type { IndexView } from '../ranking/index-view.ts';
import { chanceOf, type QuestionVector, questionVector, wasMeasuredFor } from '../ranking/judge-relevance.ts';
import { type Outcome, outcomeOf } from '../ranking/outcome.ts';
import { type FoundChunk, pickHits } from '../ranking/pick-hits.ts';
import { type Ranking, rankChunks } from '../ranking/rank-chunks.ts';
import type { Field } from '../ranking/score-words.ts';
import type { CandidateQuestion } from '../ranking/served-field.ts';
import type { TermWeights } from './snippet.ts';

export interface SearchEngine {
  /** Accepts any text. Throws only what the stores throw: without its embedder it ranks by words alone. */
  search(request: SearchRequest): Promise<SearchResult>;
}

export interface SearchPorts {
  readonly stores: readonly IndexStore[];
  /** Without one, words alone rank. */
  readonly embedder: Embedder | undefined;
  /** Measured weights when absent. */
  readonly weights?: FusionWeights;
  /** Shared with the other engines of the process, for what they have read of the same stores. */
  readonly readers?: SharedReaders;
}

export type SharedReaders = WeakMap<IndexStore, IndexReader>;

export interface SearchRequest {
  readonly question: string;
  readonly limit: number;
  /** Subset of the engine's stores; all when absent. */
  readonly stores?: readonly IndexStore[] | undefined;
  /** Most hits of one item; unlimited when absent. */
  readonly perItem?: number;
  /** Filters apply before the limit. */
  readonly isWantedGroup?: (group: Group) => boolean;
  readonly filter?: ItemFilter;
  /** Left out of a store, beside what the filter leaves out everywhere. */
  readonly excludedIn?: ReadonlyMap<IndexStore, Glob>;
  readonly explain?: boolean;
  /** Called with chunks that may become hits. 0 is the most trusted; orders only near-ties. */
  distrustOf?(chunks: readonly StoredChunk[]): Promise<readonly number[]>;
}

export interface SearchResult {
  readonly outcome: Outcome;
  /** Best first; empty unless the outcome is `answers`. */
  readonly hits: readonly SearchHit[];
  /** No item passes the filter, for any question. */
  readonly isFilteredOut: boolean;
  /** All that was found, best first; empty when the outcome is `answers`. */
  readonly nearMisses: readonly SearchHit[];
  readonly vector: QuestionVector;
  /** Includes guessed terms. */
  readonly terms: TermWeights;
}

export interface SearchHit {
  /** The chance that it answers the question, from 0 to 1; no lower than that of a later hit. */
  readonly chance: number;
  readonly signals: HitSignals;
  /** Rank score from 0 to 1, relative to the best of the same question. */
  readonly score: number;
  readonly chunk: StoredChunk;
  readonly store: number;
  /** Whether it has a word of the question, or a guessed replacement. */
  readonly hasWords: boolean;
  readonly explanation?: Explanation;
}

/** With a smaller share of embedded chunks, words alone rank: chunks without vectors would be at a disadvantage. */
const LEAST_EMBEDDED_SHARE = 0.9;

/** Limit for ranking again when another process replaces hits meanwhile. */
const MOST_ATTEMPTS = 5;

/** Caches what it has read for the next question, so a process should use one engine. */
export function searchEngine({
  stores,
  embedder,
  weights = MEASURED_WEIGHTS,
  readers: shared = new WeakMap(),
}: SearchPorts): SearchEngine {
  const readers = stores.map((store) => {
    const reader = shared.get(store) ?? new IndexReader(store);
    shared.set(store, reader);
    return reader;
  });
  return {
    async search(request) {
      const { stores: wanted = stores } = request;
      const searched = readers.filter(({ store }) => wanted.includes(store));
      const query = parseQuery(request.question);
      const vector = await questionVector(weights.dense > 0 ? embedder : undefined, query.text);
      for (let attempt = 1; ; attempt++) {
        const { ranking, picked, isFilteredOut } = await rankAndPick(
          searched,
          { query, vector, weights },
          request,
        );
        if (picked.isOutdated && attempt < MOST_ATTEMPTS) continue;
        const judged = await judgedHits(request, query, { ranking, found: picked.found, vector });
        const outcome = outcomeOf(judged[0]?.chance ?? 0);
        const isAnswered = outcome === 'answers';
        const hits = judged.slice(0, request.limit);
        return {
          outcome,
          hits: isAnswered ? hits : [],
          nearMisses: isAnswered ? [] : hits,
          isFilteredOut,
          vector,
          terms: termsOf(ranking),
        };
      }
    },
  };
}

async function rankAndPick(
  readers: readonly IndexReader[],
  {
    query,
    vector,
    weights,
  }: Pick<Required<SearchPorts>, 'weights'> & { query: ParsedQuery; vector: QuestionVector },
  request: SearchRequest,
) {
  const {
    fields: gathered,
    words,
    isFilteredOut,
  } = await gatherFields(readers, {
    query,
    isWantedGroup: request.isWantedGroup,
    filter: request.filter,
    excludedIn: request.excludedIn,
    wantsCodes: vector.status === 'embedded',
  });
  const vectors = gathered.map(({ view }) => usableVector(view, vector));
  const { isWantedGroup } = request;
  const fields = await withServedCandidates(gathered, readers, { words, vectors, isWantedGroup });
  const ranking = await rankChunks({ readers, fields, words, vectors, weights });
  const stores = readers.map(({ store }) => store);
  const picked = await pickHits(stores, ranking.chunks, {
    limit: Math.max(request.limit, JUDGED_HITS),
    perItem: request.perItem ?? Number.POSITIVE_INFINITY,
    query,
    order: orderReader(ranking.words.words, query.text),
    distrustOf: request.distrustOf,
  });
  return { ranking, picked, isFilteredOut };
}

/** The candidates of the indexes that are not kept by this process. */
async function withServedCandidates(
  fields: readonly Field[],
  readers: readonly IndexReader[],
  {
    vectors,
    ...question
  }: Omit<CandidateQuestion, 'vector'> & { readonly vectors: readonly (Float32Array | undefined)[] },
): Promise<readonly Field[]> {
  if (!fields.some(({ served }) => served)) return fields;
  const { withCandidates } = await import('../ranking/served-field.ts');
  return Promise.all(
    readers.map(({ store }, at) =>
      withCandidates(fields[at] as Field, store, { ...question, vector: vectors[at] }),
    ),
  );
}

/** Undefined for an index with vectors of another embedder. */
function usableVector(view: IndexView, vector: QuestionVector): Float32Array | undefined {
  if (vector.status !== 'embedded' || view.embedder?.fingerprint !== vector.embedder.fingerprint)
    return undefined;
  return view.embeddedCount >= view.chunkCount * LEAST_EMBEDDED_SHARE ? vector.vector : undefined;
}

interface Found {
  readonly ranking: Ranking;
  readonly found: readonly FoundChunk[];
  readonly vector: QuestionVector;
}

async function judgedHits(
  request: SearchRequest,
  query: ParsedQuery,
  { ranking, found, vector }: Found,
): Promise<SearchHit[]> {
  const explaining = request.explain ? await import('../ranking/explain-hit.ts') : undefined;
  const { words, chunkCount } = ranking;
  const isMeasured =
    vector.status === 'embedded' && vector.embedder.isMeasured === true && wasMeasuredFor(query.text);
  const signalsOf = signalReader({
    words: words.words,
    isMeasured,
    chunkCount,
  });
  const hits = found.map(({ ranked, chunk, order }) => {
    const signals = signalsOf(ranked, chunk);
    const chance = chanceOf(signals);
    return {
      chance,
      signals,
      score: ranked.score,
      chunk,
      store: ranked.field,
      hasWords: ranked.covered > 0,
      ...(explaining && {
        explanation: explaining.explainHit({ ranked, chunk, order }, words, { chance, signals }),
      }),
    };
  });
  return withFallingChances(hits);
}

/** The outcome depends on these alone, so that it is the same for every limit. */
const JUDGED_HITS = 10;

/** Raises the chance of each judged hit to the best that follows, and lowers the others to the last of the judged. */
function withFallingChances(hits: readonly SearchHit[]): SearchHit[] {
  const chances = hits.map(({ chance }) => chance);
  const judged = chances.slice(0, JUDGED_HITS);
  const last = judged.at(-1) ?? 0;
  return hits.map((hit, at) => ({
    ...hit,
    chance:
      at < JUDGED_HITS
        ? Math.max(...judged.slice(at))
        : Math.min(last, ...chances.slice(JUDGED_HITS, at + 1)),
  }));
}

function termsOf({ words }: Ranking): TermWeights {
  return new Map(
    words.words.flatMap(({ alternatives, rarity }) =>
      alternatives.map(({ term, factor }): [string, number] => [term, rarity * factor]),
    ),
  );
}

/** The near misses that are shown: none when the outcome is `nothing`. */
export function shownOf(outcome: Outcome, nearMisses: readonly SearchHit[]): readonly SearchHit[] {
  return outcome === 'nearest' ? nearMisses : [];
}

export function shownChance(chance: number): number {
  return Math.round(chance * 1000) / 1000;
}

/** A hit without a word of the question needs at least this share of the best score. */
const LEAST_SHARE_WITHOUT_WORDS = 0.25;

/** Removes hits that are near in meaning but no answer: something is near to every question. */
export function withoutNoise(hits: readonly SearchHit[]): readonly SearchHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE_WITHOUT_WORDS;
  return hits.filter(({ hasWords, score }) => hasWords || score >= least);
}
