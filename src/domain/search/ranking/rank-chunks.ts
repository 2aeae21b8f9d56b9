import type { Distances } from '../vectors/code-table.ts';
import { cosines } from '../vectors/kernel.ts';
import { codeOf } from '../vectors/quantise.ts';
import { type FusedScore, type FusionWeights, fuseScores } from './fuse-scores.ts';
import type { IndexReader } from './index-reader.ts';
import { type Field, type ScoredWord, scoreWords, type WordScores } from './score-words.ts';
import { type Candidate, selectTop } from './select-top.ts';

/** Number of chunks from each ranking that are fused. */
const LIST_LENGTH = 200;

export interface RankInput {
  readonly readers: readonly IndexReader[];
  readonly fields: readonly Field[];
  readonly words: readonly ScoredWord[];
  /** One for each field; undefined for an index without comparable vectors. */
  readonly vectors: readonly (Float32Array | undefined)[];
  readonly weights: FusionWeights;
}

export interface Ranking {
  readonly chunks: readonly RankedChunk[];
  readonly words: WordScores;
  /** Number of chunks among which a hit may be. */
  readonly chunkCount: number;
}

export interface RankedChunk extends Candidate, FusedScore {
  /** Sum of the rarities of the words that the chunk has. */
  readonly covered: number;
}

export async function rankChunks(input: RankInput): Promise<Ranking> {
  const { fields, weights } = input;
  const scored = scoreWords(fields, input.words);
  const lexical = selectTop(scored, LIST_LENGTH);
  const distances = denseDistances(input);
  const dense = [...nearestByCode(distances, NEAREST_BY_CODE), ...servedPlaces(fields)];
  // Taken out of the scores before anything is awaited: another question may use their place meanwhile.
  const candidates = distinct([...lexical, ...dense]).map(({ field, chunk }) => ({
    field,
    chunk: numberInStore(fields, { field, chunk }),
    lexical: scored.fields[field]?.scores[chunk] ?? 0,
    covered: scored.fields[field]?.covered[chunk] ?? 0,
  }));
  const compared = await withCosines(candidates, input);
  const union = unionOfLists(
    compared,
    lexical.map((each) => keyOf({ field: each.field, chunk: numberInStore(fields, each) })),
  );
  const fused = fuseScores(union, weights);
  const chunks = union.map(({ field, chunk, covered }, at) => {
    const { score, lexical, dense } = fused[at] as FusedScore;
    return { field, chunk, covered, score, lexical, dense };
  });
  const chunkCount = fields.reduce((sum, field) => sum + allowedCount(field), 0);
  const best = chunks.sort((a, b) => b.score - a.score || byPlace(a, b));
  return { chunks: best, words: scored.words, chunkCount };
}

/** Codes are coarse: this many chunks are compared exactly to get the best of them right. */
const NEAREST_BY_CODE = 400;

/** Candidates of the stores that find them; none of them was chosen by its code. */
function servedPlaces(fields: readonly Field[]): Candidate[] {
  return fields.flatMap(({ served }, field) => served?.numbers.map((_, chunk) => ({ field, chunk })) ?? []);
}

/** The number that the store gives the chunk. */
function numberInStore(fields: readonly Field[], { field, chunk }: Candidate): number {
  return fields[field]?.served?.numbers[chunk] ?? chunk;
}

/** How far each chunk is from the question by code. */
function denseDistances({ fields, vectors }: RankInput): (Distances | undefined)[] {
  return fields.map(({ view, allowed }, at) => {
    const vector = vectors[at];
    return vector && view.codes?.distances(codeOf(vector), allowed);
  });
}

function allowedCount({ view, allowed, served }: Field): number {
  if (served) return served.allowedCount;
  if (allowed === view.present) return view.chunkCount;
  let count = 0;
  for (const flag of allowed) count += flag;
  return count;
}

interface Compared extends Candidate {
  readonly lexical: number;
  readonly covered: number;
  readonly dense: number | undefined;
}

async function withCosines(
  candidates: readonly Omit<Compared, 'dense'>[],
  { readers, fields, vectors }: RankInput,
): Promise<Compared[]> {
  const byField = await Promise.all(
    readers.map(async (reader, field) => {
      const vector = vectors[field];
      if (!vector) return new Map<number, number>();
      const numbers = candidates.filter((each) => each.field === field).map(({ chunk }) => chunk);
      const rows = await (fields[field]?.served ? reader.store.vectors(numbers) : reader.vectors(numbers));
      const found = cosines(vector, [...rows.values()]);
      return new Map([...rows.keys()].map((chunk, at) => [chunk, found[at] as number]));
    }),
  );
  return candidates.map(({ field, chunk, lexical, covered }) => ({
    field,
    chunk,
    lexical,
    covered,
    dense: byField[field]?.get(chunk),
  }));
}

/** Candidates in the list of either ranking; drops a candidate by code that is not near by vector. */
function unionOfLists(candidates: readonly Compared[], lexical: readonly number[]): Compared[] {
  const wanted = new Set([...lexical, ...nearestByVector(candidates).map(keyOf)]);
  return candidates.filter((candidate) => wanted.has(keyOf(candidate)));
}

/** In no order. Numbers are sorted much faster than candidates. */
function nearestByVector(candidates: readonly Compared[]): Compared[] {
  const cosines = candidates.flatMap(({ dense }) => dense ?? []);
  const last = Float64Array.from(cosines).sort().at(-LIST_LENGTH) ?? Number.NEGATIVE_INFINITY;
  const near = candidates.filter(({ dense }) => dense !== undefined && dense >= last);
  if (near.length <= LIST_LENGTH) return near;
  return near.sort((a, b) => (b.dense ?? 0) - (a.dense ?? 0) || byPlace(a, b)).slice(0, LIST_LENGTH);
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [keyOf(candidate), candidate])).values()];
}

/** Chunk numbers have 31 bits. */
export function keyOf({ field, chunk }: Candidate): number {
  return field * 2 ** 31 + chunk;
}

function byPlace(a: Candidate, b: Candidate): number {
  return a.field - b.field || a.chunk - b.chunk;
}

/** Nearest first; equal ones by field and chunk. Filters before the cut. */
export function nearestByCode(fields: readonly (Distances | undefined)[], count: number): Candidate[] {
  const cut = cutAt(fields, count);
  const near = fields.flatMap((coded, field) => coded?.within(cut).map((each) => ({ field, ...each })) ?? []);
  const nearer = near.filter(({ distance }) => distance < cut);
  const last = near.filter(({ distance }) => distance === cut);
  return [...nearer, ...last].slice(0, count).map(({ field, chunk }) => ({ field, chunk }));
}

/** Lowest distance within which there are enough. */
function cutAt(fields: readonly (Distances | undefined)[], count: number): number {
  const longest = Math.max(0, ...fields.map((coded) => coded?.histogram.length ?? 0));
  let seen = 0;
  for (let distance = 0; distance < longest; distance++) {
    for (const coded of fields) seen += coded?.histogram[distance] ?? 0;
    if (seen >= count) return distance;
  }
  return longest;
}
