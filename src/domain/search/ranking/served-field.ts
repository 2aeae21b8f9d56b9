/** The part of an index that a question needs, where the store finds its candidates. */

import type { Group, IndexStore } from '../index/index-store.ts';
import type { ServedCandidate, ServedFacts, ServedGroup } from '../index/served-index.ts';
import { Postings } from '../postings/posting-list.ts';
import { IndexView } from './index-view.ts';
import type { Field, ScoredWord, ServedPlaces } from './score-words.ts';

/** Has the sizes of the index, and none of its chunks. */
export function emptyServedField({ groups, embedder }: ServedFacts): Omit<Field, 'lists'> {
  const view = new IndexView();
  view.groups = new Map(groups.map((group) => [group.number, group]));
  view.embedder = embedder;
  for (const { chunks, length, embedded } of groups) {
    view.chunkCount += chunks;
    view.totalLength += length;
    view.embeddedCount += embedded;
  }
  return { view, allowed: view.present, served: placesOf([], 0) };
}

export interface CandidateQuestion {
  readonly words: readonly ScoredWord[];
  readonly vector: Float32Array | undefined;
  readonly isWantedGroup: ((group: Group) => boolean) | undefined;
}

/** Asks the store for the candidates; gives back the field of another index as it is. */
export async function withCandidates(
  field: Field,
  store: IndexStore,
  { words, vector, isWantedGroup = () => true }: CandidateQuestion,
): Promise<Field> {
  if (!field.served) return field;
  const { view } = field;
  const groups = [...view.groups.values()] as ServedGroup[];
  const wanted = groups.filter(isWantedGroup);
  const allowedCount = wanted.reduce((sum, { chunks }) => sum + chunks, 0);
  const terms = [...new Set(words.flatMap(({ alternatives }) => alternatives.map(({ term }) => term)))];
  const numbers = wanted.length < groups.length ? wanted.map(({ number }) => number) : undefined;
  const found = wanted.length === 0 ? [] : await store.servedCandidates({ terms, vector, groups: numbers });
  // By place, as the scores are.
  view.present = new Uint8Array(found.length).fill(1);
  view.lengths = Uint16Array.from(found, ({ length }) => length);
  return { ...field, allowed: view.present, served: placesOf(found, allowedCount) };
}

function placesOf(candidates: readonly ServedCandidate[], allowedCount: number): ServedPlaces {
  const numbers = candidates.map(({ chunk }) => chunk);
  const places = new Map(numbers.map((number, place) => [number, place]));
  return {
    numbers,
    allowedCount,
    find(lists, { alternatives }) {
      const all = new Postings();
      for (const { term, factor } of alternatives) {
        const start = all.count;
        for (const { base, bytes } of lists.get(term) ?? []) all.addEncoded(bytes, base);
        if (factor !== 1) all.scale(start, factor);
      }
      if (alternatives.length > 1) all.combine();
      return { found: inPlaces(all, places), containing: all.count };
    },
  };
}

/** Leaves the candidates, each by its place. */
function inPlaces(all: Postings, places: ReadonlyMap<number, number>): Postings {
  const found = new Postings();
  for (let at = 0; at < all.count; at++) {
    const place = places.get(all.chunks[at] as number);
    if (place !== undefined) found.add(place, all.weights[at] as number);
  }
  return found;
}
