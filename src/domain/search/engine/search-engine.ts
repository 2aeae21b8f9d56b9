/** One question over one or more indexes, which are ranked as if they were one. */

import { type ParsedQuery, parseQuery } from '../../words/parse-query.ts';
import type { Embedder } from '../index/embedder.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { Group, IndexStore, ItemFilter } from '../index/index-store.ts';
import { type Explanation, explainHit } from '../ranking/explain-hit.ts';
import { type FusionWeights, MEASURED_WEIGHTS } from '../ranking/fuse-scores.ts';
import { gatherFields } from '../ranking/gather-fields.ts';
import { IndexReader } from '../ranking/index-reader.ts';
import {
  confidence,
  LEAST_CONFIDENCE,
  type QuestionVector,
  questionVector,
  type Signals,
  signalsOf,
} from '../ranking/judge-relevance.ts';
import { type FoundChunk, type PickedHits, pickHits } from '../ranking/pick-hits.ts';
import { type Ranking, rankChunks } from '../ranking/rank-chunks.ts';
import type { TermWeights } from './snippet.ts';

export interface SearchEngine {
  /** Any text is a question. Throws only what the stores throw: an embedder that is away costs its part of the ranking. */
  search(request: SearchRequest): Promise<SearchResult>;
}

export interface SearchPorts {
  readonly stores: readonly IndexStore[];
  /** Undefined: words alone rank. */
  readonly embedder: Embedder | undefined;
}

export interface SearchRequest {
  readonly question: string;
  readonly limit: number;
  /** Only these of the engine's stores; absent: all of them. */
  readonly stores?: readonly IndexStore[] | undefined;
  /** At most so many hits of one item; absent: any number. */
  readonly perItem?: number;
  /** Filters apply before anything is cut off. */
  readonly isWantedGroup?: (group: Group) => boolean;
  readonly filter?: ItemFilter;
  /** Absent: as measured. */
  readonly weights?: FusionWeights;
  readonly explain?: boolean;
  /** Called with chunks that may become hits: how little each is trusted, 0 most; orders near-ties only. */
  distrustOf?(chunks: readonly StoredChunk[]): Promise<readonly number[]>;
}

export interface SearchResult {
  /** Best first; empty when the engine abstains. */
  readonly hits: readonly SearchHit[];
  readonly hasAbstained: boolean;
  /** No item passes the filter, for any question. */
  readonly isFilteredOut: boolean;
  /** The hits there would be without abstention. */
  readonly nearMisses: readonly SearchHit[];
  /** Confidence that the best hit is an answer, from 0 to 1. */
  readonly confidence: number;
  readonly signals: Signals | undefined;
  readonly vector: QuestionVector;
  /** Weights of the terms of the question, including guesses. */
  readonly terms: TermWeights;
}

export interface SearchHit {
  /** From 0 to 1. */
  readonly score: number;
  readonly chunk: StoredChunk;
  /** Which of the stores it came from. */
  readonly store: number;
  /** It has a word of the question, or what such a word was taken for. */
  readonly hasWords: boolean;
  readonly explanation?: Explanation;
}

/** While fewer of the chunks have vectors, words alone rank: the others would be at a disadvantage. */
const LEAST_EMBEDDED_SHARE = 0.9;

/** A question is ranked again this often when another process replaces its hits meanwhile. */
const MOST_ATTEMPTS = 5;

/** Keeps what it has read of its stores for the next question: one engine for as long as a process runs is best. */
export function searchEngine({ stores, embedder }: SearchPorts): SearchEngine {
  const readers = stores.map((store) => new IndexReader(store));
  return {
    async search(request) {
      const { stores: wanted = stores } = request;
      const searched = readers.filter(({ store }) => wanted.includes(store));
      const query = parseQuery(request.question);
      const vector = await questionVector(embedder, query.text);
      for (let attempt = 1; ; attempt++) {
        const { ranking, picked, isFilteredOut } = await rankAndPick(searched, query, vector, request);
        if (picked.isOutdated && attempt < MOST_ATTEMPTS) continue;
        const [best] = picked.found;
        const signals = signalsOf({ readers: searched, ranking, best, question: query.text, vector });
        return { ...resultOf(request, ranking, picked.found, signals, vector), isFilteredOut };
      }
    },
  };
}

interface Picked {
  readonly ranking: Ranking;
  readonly picked: PickedHits;
  readonly isFilteredOut: boolean;
}

async function rankAndPick(
  readers: readonly IndexReader[],
  query: ParsedQuery,
  vector: QuestionVector,
  request: SearchRequest,
): Promise<Picked> {
  const { fields, words, isFilteredOut } = await gatherFields(readers, {
    query,
    isWantedGroup: request.isWantedGroup,
    filter: request.filter,
    wantsCodes: vector.status === 'embedded',
  });
  const vectors = readers.map((reader) => usableVector(reader, vector));
  const weights = request.weights ?? MEASURED_WEIGHTS;
  const ranking = await rankChunks({ readers, fields, words, vectors, weights });
  const stores = readers.map(({ store }) => store);
  const picked = await pickHits(stores, ranking.chunks, {
    limit: request.limit,
    perItem: request.perItem ?? Number.POSITIVE_INFINITY,
    query,
    distrustOf: request.distrustOf,
  });
  return { ranking, picked, isFilteredOut };
}

/** The question's vector, for an index whose vectors it can be compared with. */
function usableVector({ view }: IndexReader, vector: QuestionVector): Float32Array | undefined {
  if (vector.status !== 'embedded' || view.embedder?.fingerprint !== vector.embedder.fingerprint)
    return undefined;
  return view.embeddedCount >= view.chunkCount * LEAST_EMBEDDED_SHARE ? vector.vector : undefined;
}

function resultOf(
  request: SearchRequest,
  ranking: Ranking,
  found: readonly FoundChunk[],
  signals: Signals | undefined,
  vector: QuestionVector,
): Omit<SearchResult, 'isFilteredOut'> {
  const sure = signals ? confidence(signals) : 0;
  const hasAbstained = sure < LEAST_CONFIDENCE;
  const hits = found.map(({ ranked, chunk }) => ({
    score: ranked.score,
    chunk,
    store: ranked.field,
    hasWords: ranked.covered > 0,
    ...(request.explain && { explanation: explainHit(ranked, chunk, ranking.words) }),
  }));
  return {
    hits: hasAbstained ? [] : hits,
    hasAbstained,
    nearMisses: hasAbstained ? hits : [],
    confidence: sure,
    signals,
    vector,
    terms: termsOf(ranking),
  };
}

function termsOf({ words }: Ranking): TermWeights {
  return new Map(
    words.words.flatMap(({ alternatives, rarity }) =>
      alternatives.map(({ term, factor }): [string, number] => [term, rarity * factor]),
    ),
  );
}

/** Without a word of the question, a hit that scores this much less than the best is no answer. */
const LEAST_SHARE_WITHOUT_WORDS = 0.25;

/** The hits that are answers: something is near in meaning to every question. Best first, before and after. */
export function withoutNoise(hits: readonly SearchHit[]): readonly SearchHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE_WITHOUT_WORDS;
  return hits.filter(({ hasWords, score }) => hasWords || score >= least);
}
