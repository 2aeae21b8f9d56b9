/** An index so large that its store finds the candidates of a question, and no process keeps it. */

import { termsOf } from '../../words/terms.ts';
import type { ChunkFields } from '../postings/build-segment.ts';
import { BODY_WEIGHT, FIELD_WEIGHTS } from '../postings/posting-list.ts';
import type { EmbedderKey, EncodedList, Group } from './index-store.ts';

export interface ServedIndex {
  /** All but the candidates. Undefined while each process keeps the index, as it always does with SQLite. */
  servedFacts(terms: readonly string[]): Promise<ServedFacts | undefined>;
  /** The best by words and the nearest by meaning, in any order, each once. */
  servedCandidates(request: CandidateRequest): Promise<readonly ServedCandidate[]>;
}

export interface ServedFacts {
  readonly groups: readonly ServedGroup[];
  readonly embedder: EmbedderKey | undefined;
  /** Lists of each term in all segments. */
  readonly lists: readonly (readonly EncodedList[])[];
}

export interface ServedGroup extends Group {
  readonly chunks: number;
  /** Sum of the lengths of its chunks. */
  readonly length: number;
  /** Number of its chunks that were embedded, or have no words. */
  readonly embedded: number;
}

export interface CandidateRequest {
  readonly terms: readonly string[];
  readonly vector: Float32Array | undefined;
  /** Numbers of the groups among which candidates are; all when absent. */
  readonly groups: readonly number[] | undefined;
}

export interface ServedCandidate {
  readonly chunk: number;
  readonly length: number;
}

/** Number of candidates from each ranking. */
export const SERVED_BY_WORDS = 200;
export const SERVED_BY_MEANING = 400;

/** The terms of a chunk, each as often as it counts, written so that PostgreSQL's configuration `simple` keeps them. */
export function searchedText(fields: ChunkFields): string {
  const words: string[] = [];
  for (const [name, weight] of Object.entries(FIELD_WEIGHTS)) {
    const times = Math.ceil(weight / BODY_WEIGHT);
    const terms = searchedTerms(termsOf(fields[name as keyof ChunkFields] ?? ''));
    for (let time = 0; time < times; time++) words.push(...terms);
  }
  return words.join(' ');
}

export function searchedTerms(terms: readonly string[]): string[] {
  return terms.map((term) => (/^[a-z]{1,60}$/.test(term) ? term : `x0${hexOf(term)}`));
}

/** Longer words of PostgreSQL are cut off: what is beyond this is not compared. */
const MOST_BYTES = 500;

function hexOf(term: string): string {
  const bytes = new TextEncoder().encode(term).subarray(0, MOST_BYTES);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
