/** Turns a ranking into hits: checks phrases in the texts, limits hits per item, orders near-ties. */

import { compareCodePoints } from '../../../base/text.ts';
import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { containsPhrase, fitsPhrases } from '../../words/contains-phrase.ts';
import type { ParsedQuery } from '../../words/parse-query.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { IndexStore } from '../index/index-store.ts';
import type { OrderedScore } from './hit-signals.ts';
import { keyOf, type RankedChunk } from './rank-chunks.ts';

export interface FoundChunk {
  /** Its score is the one of `order`. */
  readonly ranked: RankedChunk;
  readonly order: OrderedScore;
  readonly chunk: StoredChunk;
  /** 0 is the most trusted. */
  readonly distrust: number;
}

export interface PickRequest {
  readonly limit: number;
  readonly perItem: number;
  readonly query: Pick<ParsedQuery, 'phrases' | 'preferred' | 'excludedPhrases'>;
  /** The score by which a hit is ordered, from its score by words and meaning. */
  order(score: number, chunk: StoredChunk): OrderedScore;
  /** 0 is the most trusted; orders only near-ties. Absent: all alike. */
  distrustOf?: ((chunks: readonly StoredChunk[]) => Promise<readonly number[]>) | undefined;
}

/** Smaller differences between scores count as ties. */
const NEAR_TIE = 0.01;
/** Share of the score that depends on the preferred phrases. */
const PREFERRED_SHARE = 0.15;
/** Read beyond the limit at once, since a phrase, a cap or a near-tie may change the order. */
const SPARE = 16;
/** Read at least, since the order by words and meaning is not the last word on the first hits. */
const LEAST_READ = 40;
/** Most chunks read beyond the limit for near-ties. */
const MAX_TIED = 512;
/** Most texts read: a phrase of frequent words may be in few of the chunks that have its words. */
const MAX_READ = 4096;

export interface PickedHits {
  readonly found: readonly FoundChunk[];
  /** Another process replaced ranked chunks before their text was read. */
  readonly isOutdated: boolean;
}

export async function pickHits(
  stores: readonly IndexStore[],
  ranking: readonly RankedChunk[],
  request: PickRequest,
): Promise<PickedHits> {
  const found: FoundChunk[] = [];
  let isOutdated = false;
  const isTaken = taking(request.perItem);
  let at = 0;
  while (at < Math.min(ranking.length, MAX_READ) && found.length < request.limit) {
    const end = batchEnd(ranking, at, request.limit);
    const wanted = ranking.slice(at, end);
    const chunks = await readChunks(stores, wanted);
    const distrust = await distrustByChunk([...chunks.values()], request);
    const batch = wanted.flatMap((ranked) => {
      const chunk = chunks.get(keyOf(ranked));
      return chunk ? fitting(ranked, chunk, distrust.get(chunk) ?? 0, request) : [];
    });
    found.push(...ordered(batch).filter(({ chunk }) => isTaken(chunk)));
    isOutdated ||= chunks.size < wanted.length;
    at = end;
  }
  return { found: found.slice(0, request.limit), isOutdated };
}

/** Includes all that are nearly as good as the last hit and may be more trusted. */
function batchEnd(ranking: readonly RankedChunk[], at: number, limit: number): number {
  const least = (ranking[at + limit - 1]?.score ?? Number.POSITIVE_INFINITY) - NEAR_TIE;
  let end = at + Math.max(limit + SPARE, LEAST_READ);
  while (end < at + limit + MAX_TIED && (ranking[end]?.score ?? -1) >= least) end += 1;
  return end;
}

/** Chunks without lines are cited by their first heading alone: one chunk for each heading is enough. */
function taking(perItem: number): (chunk: StoredChunk) => boolean {
  const counts = new Map<string, number>();
  const headings = new Set<string>();
  return ({ source, id, heading, firstLine }) => {
    const item = `${source}\n${id}`;
    const count = counts.get(item) ?? 0;
    const place = `${item}\n${heading.split(HEADING_SEPARATOR, 1)[0]}`;
    if (count >= perItem || (firstLine === 0 && headings.has(place))) return false;
    counts.set(item, count + 1);
    headings.add(place);
    return true;
  };
}

/** By `keyOf`, without chunks that no longer exist. */
async function readChunks(
  stores: readonly IndexStore[],
  ranked: readonly RankedChunk[],
): Promise<ReadonlyMap<number, StoredChunk>> {
  const read = await Promise.all(
    stores.map(async (store, field) => {
      const numbers = ranked.filter((each) => each.field === field).map(({ chunk }) => chunk);
      const chunks = await store.chunks(numbers);
      return chunks.map((chunk): [number, StoredChunk] => [keyOf({ field, chunk: chunk.number }), chunk]);
    }),
  );
  return new Map(read.flat());
}

async function distrustByChunk(
  chunks: readonly StoredChunk[],
  { distrustOf }: PickRequest,
): Promise<ReadonlyMap<StoredChunk, number>> {
  const distrust = (await distrustOf?.(chunks)) ?? [];
  return new Map(chunks.map((chunk, at) => [chunk, distrust[at] ?? 0]));
}

function fitting(
  ranked: RankedChunk,
  chunk: StoredChunk,
  distrust: number,
  { query, order }: PickRequest,
): FoundChunk[] {
  if (!fitsPhrases(query, searchedTexts(chunk))) return [];
  const ordered = order(preferredScore(ranked.score, chunk, query), chunk);
  return [{ ranked: { ...ranked, score: ordered.score }, order: ordered, chunk, distrust }];
}

function preferredScore(score: number, chunk: StoredChunk, { preferred }: PickRequest['query']): number {
  if (preferred.length === 0) return score;
  const texts = searchedTexts(chunk);
  const contained = preferred.filter((phrase) => texts.some((text) => containsPhrase(text, phrase))).length;
  return score * (1 - PREFERRED_SHARE) + (PREFERRED_SHARE * contained) / preferred.length;
}

function searchedTexts({ body, title, heading, path }: StoredChunk): string[] {
  return [body, title, heading, path];
}

/** Best first; near-ties by trust, then by id. */
function ordered(found: readonly FoundChunk[]): FoundChunk[] {
  const byScore = [...found].sort((a, b) => b.ranked.score - a.ranked.score || byId(a.chunk, b.chunk));
  const result: FoundChunk[] = [];
  for (let start = 0; start < byScore.length; ) {
    const best = byScore[start]?.ranked.score ?? 0;
    let end = start + 1;
    while (end < byScore.length && best - (byScore[end]?.ranked.score ?? 0) <= NEAR_TIE) end += 1;
    result.push(...byScore.slice(start, end).sort((a, b) => a.distrust - b.distrust));
    start = end;
  }
  return result;
}

function byId(a: StoredChunk, b: StoredChunk): number {
  return compareCodePoints(a.source, b.source) || compareCodePoints(a.id, b.id) || a.ordinal - b.ordinal;
}
