/** Reads everything that a question needs from the indexes. */

import type { Glob } from '../../../base/glob.ts';
import type { ParsedQuery, QueryWord } from '../../words/parse-query.ts';
import type { EncodedList, Group, IndexStore, ItemFilter, Snapshot } from '../index/index-store.ts';
import type { ServedFacts } from '../index/served-index.ts';
import { Postings } from '../postings/posting-list.ts';
import type { IndexReader } from './index-reader.ts';
import type { IndexView } from './index-view.ts';
import type { Alternative, Field, ScoredWord } from './score-words.ts';

export interface FieldRequest {
  readonly query: ParsedQuery;
  readonly isWantedGroup: ((group: Group) => boolean) | undefined;
  readonly filter: ItemFilter | undefined;
  readonly excludedIn?: ReadonlyMap<IndexStore, Glob> | undefined;
  readonly wantsCodes: boolean;
}

export interface Gathered {
  readonly fields: readonly Field[];
  readonly words: readonly ScoredWord[];
  /** No item passes the filter, whatever the question. */
  readonly isFilteredOut: boolean;
}

export async function gatherFields(
  readers: readonly IndexReader[],
  request: FieldRequest,
): Promise<Gathered> {
  const { query, wantsCodes } = request;
  const asked = { terms: termsOf(query), wantsCodes };
  const parts = await Promise.all(readers.map((reader) => readPart(reader, asked, request)));
  const lists = parts.map((part) => listsByTerm(asked.terms, part));
  const words = await alternativesOf(query, readers, lists);
  const guessed = [...new Set(words.flatMap(({ alternatives }) => alternatives.map(({ term }) => term)))];
  const missing = guessed.filter((term) => !asked.terms.includes(term));
  if (missing.length > 0) {
    await Promise.all(
      readers.map((reader, at) => addLists(reader, missing, { part: parts[at], lists: lists[at] })),
    );
  }
  const fields = readers.map((reader, at) =>
    fieldOf(reader, request, parts[at] as Part, lists[at] as ListsByTerm),
  );
  const isFilteredOut = parts.every((part) => isSnapshot(part) && part.chosen?.length === 0);
  return { fields, words, isFilteredOut };
}

/** An index that the process keeps, or what is known of one that it does not keep. */
type Part = Snapshot | ServedPart;

interface ServedPart extends ServedFacts {
  readonly field: Omit<Field, 'lists'>;
}

async function readPart(
  reader: IndexReader,
  { terms, wantsCodes }: { readonly terms: readonly string[]; readonly wantsCodes: boolean },
  request: FieldRequest,
): Promise<Part> {
  const facts = isNarrowed(request) ? undefined : await reader.store.servedFacts(terms);
  if (!facts) return reader.refresh({ terms, wantsCodes, filter: filterIn(reader, request) });
  const { emptyServedField } = await import('./served-field.ts');
  return { ...facts, field: emptyServedField(facts) };
}

/** Then the process reads the whole index, since only it applies all of these before it ranks. */
function isNarrowed({ query, filter, excludedIn }: FieldRequest): boolean {
  const { phrases, excludedTerms } = query;
  const isFiltered = filter !== undefined || (excludedIn?.size ?? 0) > 0;
  return isFiltered || phrases.length > 0 || excludedTerms.length > 0;
}

function filterIn({ store }: IndexReader, { filter, excludedIn }: FieldRequest): ItemFilter | undefined {
  const own = excludedIn?.get(store);
  if (!own) return filter;
  const given = filter?.excluded;
  const excluded = given ? { matches: (path: string) => given.matches(path) || own.matches(path) } : own;
  return { ...filter, excluded };
}

type ListsByTerm = Map<string, readonly EncodedList[]>;

function termsOf({ words, phrases, excludedTerms }: ParsedQuery): string[] {
  const wanted = words.filter(({ isPrefix }) => !isPrefix).map(({ term }) => term);
  return [...new Set([...wanted, ...phrases.flatMap(({ terms }) => terms), ...excludedTerms])];
}

function listsByTerm(terms: readonly string[], { lists }: Pick<Part, 'lists'>): ListsByTerm {
  return new Map(terms.map((term, at) => [term, lists[at] ?? []]));
}

async function addLists(
  reader: IndexReader,
  terms: readonly string[],
  { part, lists }: { readonly part: Part | undefined; readonly lists: ListsByTerm | undefined },
): Promise<void> {
  const isServed = part !== undefined && !isSnapshot(part);
  const more =
    (isServed && (await reader.store.servedFacts(terms))) ||
    (await reader.refresh({ terms, filter: undefined, wantsCodes: false }));
  for (const [term, found] of listsByTerm(terms, more)) lists?.set(term, found);
}

function isSnapshot(part: Part): part is Snapshot {
  return 'chunkBlocks' in part;
}

/** Imported late: most questions have known words only. */
const guessing = () => import('./guess-words.ts');

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
    if (word.isPrefix || !isKnown(word)) alternatives = await (await guessing()).alternativesTo(stores, word);
    words.push({ word: word.written, alternatives });
  }
  return words;
}

function fieldOf({ view }: IndexReader, request: FieldRequest, part: Part, lists: ListsByTerm): Field {
  const { query, isWantedGroup } = request;
  if (!isSnapshot(part)) return { ...part.field, lists };
  return {
    view,
    lists,
    allowed: allowedChunks(view, part, lists, {
      isWantedGroup,
      required: query.phrases.flatMap(({ terms }) => terms),
      excluded: query.excludedTerms,
    }),
  };
}

export interface Restrictions {
  /** Every group when absent. */
  readonly isWantedGroup: ((group: Group) => boolean) | undefined;
  readonly required: readonly string[];
  readonly excluded: readonly string[];
}

/** By chunk number: 1 where a hit may be. */
export function allowedChunks(
  view: IndexView,
  { chosen }: Pick<Snapshot, 'chosen'>,
  lists: ReadonlyMap<string, readonly EncodedList[]>,
  { isWantedGroup, required, excluded }: Restrictions,
): Uint8Array {
  const groups = [...view.groups.values()];
  const wanted = isWantedGroup ? groups.filter(isWantedGroup) : groups;
  const takesAllGroups = wanted.length === groups.length;
  if (takesAllGroups && !chosen && required.length === 0 && excluded.length === 0) return view.present;
  const allowed = view.present.slice();
  if (!takesAllGroups) keepGroups(allowed, view, new Set(wanted.map(({ number }) => number)));
  if (chosen) keepFlagged(allowed, flagged(allowed.length, chosen));
  for (const term of required) keepFlagged(allowed, chunksWith(allowed.length, lists.get(term)));
  for (const term of excluded) {
    const unwanted = chunksWith(allowed.length, lists.get(term));
    for (let chunk = 0; chunk < allowed.length; chunk++) if (unwanted[chunk] === 1) allowed[chunk] = 0;
  }
  return allowed;
}

function keepGroups(allowed: Uint8Array, { groupNumbers }: IndexView, wanted: ReadonlySet<number>): void {
  for (let chunk = 0; chunk < allowed.length; chunk++) {
    if (allowed[chunk] === 1 && !wanted.has(groupNumbers[chunk] as number)) allowed[chunk] = 0;
  }
}

function flagged(length: number, ranges: Int32Array): Uint8Array {
  const flags = new Uint8Array(length);
  for (let at = 0; at < ranges.length; at += 2) {
    const first = ranges[at] as number;
    flags.fill(1, first, first + (ranges[at + 1] as number));
  }
  return flags;
}

function chunksWith(length: number, lists: readonly EncodedList[] = []): Uint8Array {
  const postings = new Postings();
  for (const { base, bytes } of lists) postings.addEncoded(bytes, base);
  const flags = new Uint8Array(length);
  for (let at = 0; at < postings.count; at++) flags[postings.chunks[at] as number] = 1;
  return flags;
}

function keepFlagged(allowed: Uint8Array, flags: Uint8Array): void {
  for (let chunk = 0; chunk < allowed.length; chunk++) if (flags[chunk] !== 1) allowed[chunk] = 0;
}
