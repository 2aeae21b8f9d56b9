/** Reads all that a question needs from the indexes, guessing at words that none of them has. */

import type { ParsedQuery, QueryWord } from '../../words/parse-query.ts';
import type { EncodedList, Group, ItemFilter, Snapshot } from '../index/index-store.ts';
import { allowedChunks } from './allowed-chunks.ts';
import { askedPrefix, guessWord } from './expand-word.ts';
import type { IndexReader } from './index-reader.ts';
import type { Alternative, Field, ScoredWord } from './score-words.ts';

export interface FieldRequest {
  readonly query: ParsedQuery;
  readonly isWantedGroup: ((group: Group) => boolean) | undefined;
  readonly filter: ItemFilter | undefined;
  readonly wantsCodes: boolean;
}

export interface Gathered {
  /** One for each reader. */
  readonly fields: readonly Field[];
  readonly words: readonly ScoredWord[];
  /** No item passes the filter, for any question. */
  readonly isFilteredOut: boolean;
}

export async function gatherFields(
  readers: readonly IndexReader[],
  request: FieldRequest,
): Promise<Gathered> {
  const { query, filter, wantsCodes } = request;
  const asked = { terms: termsOf(query), filter, wantsCodes };
  const snapshots = await Promise.all(readers.map((reader) => reader.refresh(asked)));
  const lists = snapshots.map((snapshot) => listsByTerm(asked.terms, snapshot));
  const words = await alternativesOf(query, readers, lists);
  const guessed = [...new Set(words.flatMap(({ alternatives }) => alternatives.map(({ term }) => term)))];
  const missing = guessed.filter((term) => !asked.terms.includes(term));
  if (missing.length > 0) {
    await Promise.all(readers.map((reader, at) => addLists(reader, missing, lists[at] as ListsByTerm)));
  }
  const fields = readers.map((reader, at) =>
    fieldOf(reader, request, snapshots[at] as Snapshot, lists[at] as ListsByTerm),
  );
  return { fields, words, isFilteredOut: snapshots.every(({ chosen }) => chosen?.length === 0) };
}

type ListsByTerm = Map<string, readonly EncodedList[]>;

function termsOf({ words, phrases, excludedTerms }: ParsedQuery): string[] {
  const wanted = words.filter(({ isPrefix }) => !isPrefix).map(({ term }) => term);
  return [...new Set([...wanted, ...phrases.flatMap(({ terms }) => terms), ...excludedTerms])];
}

function listsByTerm(terms: readonly string[], { lists }: Snapshot): ListsByTerm {
  return new Map(terms.map((term, at) => [term, lists[at] ?? []]));
}

async function addLists(reader: IndexReader, terms: readonly string[], lists: ListsByTerm): Promise<void> {
  const snapshot = await reader.refresh({ terms, filter: undefined, wantsCodes: false });
  for (const [term, found] of listsByTerm(terms, snapshot)) lists.set(term, found);
}

async function alternativesOf(
  query: ParsedQuery,
  readers: readonly IndexReader[],
  lists: readonly ListsByTerm[],
): Promise<ScoredWord[]> {
  const stores = readers.map(({ store }) => store);
  const isKnown = ({ term }: QueryWord) => lists.some((each) => (each.get(term)?.length ?? 0) > 0);
  const words: ScoredWord[] = [];
  for (const word of query.words) {
    let alternatives: readonly Alternative[] = [{ term: word.term, factor: 1 }];
    if (word.isPrefix) alternatives = await askedPrefix(stores, word);
    else if (!isKnown(word)) alternatives = await guessWord(stores, word);
    words.push({ word: word.written, alternatives });
  }
  return words;
}

function fieldOf(
  { view }: IndexReader,
  request: FieldRequest,
  snapshot: Snapshot,
  lists: ListsByTerm,
): Field {
  const { query, isWantedGroup } = request;
  return {
    view,
    lists,
    allowed: allowedChunks(view, snapshot, lists, {
      isWantedGroup,
      required: query.phrases.flatMap(({ terms }) => terms),
      excluded: query.excludedTerms,
    }),
    scores: new Float32Array(view.present.length),
    covered: new Float32Array(view.present.length),
  };
}
