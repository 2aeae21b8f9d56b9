/** Merges many small segments into few large ones, since a question looks into each of them. */

import type { MergedSegment, SegmentSummary } from '../index/index-store.ts';
import { ByteWriter } from './bytes.ts';
import { encodePostings, Postings } from './posting-list.ts';
import { entriesOf, type TermBlock, TermBlockWriter } from './term-blocks.ts';
import { compareKeys, termFromKey } from './term-key.ts';

/** Number of neighbours of similar size that are merged. */
const FAN_IN = 8;
const SMALLEST_BYTES = 4096;
/** Larger segments are not merged, so that a merge needs little memory and holds the lock only for a moment. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** A segment is rewritten when more than this share is removed. */
const REMOVED_SHARE = 1 / 3;
const LEAST_REMOVED = 64;

/** The neighbours to merge next, or one with many removed chunks; undefined when nothing is to be done. */
export function chooseMerge(segments: readonly SegmentSummary[]): readonly SegmentSummary[] | undefined {
  for (let level = 0; level <= levelOf(LARGEST_BYTES); level++) {
    const run = longestRun(segments, (segment) => levelOf(segment.bytes) <= level).slice(0, FAN_IN * 2);
    const bytes = run.reduce((sum, segment) => sum + segment.bytes, 0);
    if (run.length >= FAN_IN && bytes <= LARGEST_BYTES) return run;
  }
  const worn = segments.find(({ span, removed }) => removed >= Math.max(LEAST_REMOVED, span * REMOVED_SHARE));
  return worn && [worn];
}

function levelOf(bytes: number): number {
  return Math.floor(Math.log(Math.max(bytes, SMALLEST_BYTES) / SMALLEST_BYTES) / Math.log(FAN_IN));
}

function longestRun(
  segments: readonly SegmentSummary[],
  isWanted: (segment: SegmentSummary) => boolean,
): SegmentSummary[] {
  let longest: SegmentSummary[] = [];
  let current: SegmentSummary[] = [];
  for (const segment of segments) {
    current = isWanted(segment) ? [...current, segment] : [];
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

export interface MergeInput extends SegmentSummary {
  readonly blocks: readonly TermBlock[];
}

/** `inputs` are ordered by base. Chunks that are not present are left out. */
export function mergeSegments(inputs: readonly MergeInput[], present: Uint8Array): MergedSegment {
  const base = Math.min(...inputs.map((input) => input.base));
  const end = Math.max(...inputs.map((input) => input.base + input.span));
  const cursors = inputs.map((input) => new Cursor(input));
  const blocks = new TermBlockWriter();
  const postings = new Postings();
  const list = new ByteWriter();
  for (let key = lowestKey(cursors); key; key = lowestKey(cursors)) {
    postings.clear();
    for (const cursor of cursors) cursor.takeIf(key, postings);
    postings.keep(present);
    if (postings.count === 0) continue;
    encodePostings(postings, { from: 0, to: postings.count, base }, list);
    blocks.add(termFromKey(key), list);
  }
  return { base, span: end - base, blocks: blocks.finish() };
}

function lowestKey(cursors: readonly Cursor[]): Uint8Array | undefined {
  let lowest: Uint8Array | undefined;
  for (const { key } of cursors) if (key && (!lowest || compareKeys(key, lowest) < 0)) lowest = key;
  return lowest;
}

class Cursor {
  key: Uint8Array | undefined;
  readonly #base: number;
  readonly #entries: Iterator<{ key: Uint8Array; list: Uint8Array }>;
  #list: Uint8Array = new Uint8Array(0);

  constructor({ blocks, base }: MergeInput) {
    this.#base = base;
    this.#entries = entriesOfAll(blocks);
    this.#advance();
  }

  takeIf(key: Uint8Array, postings: Postings): void {
    if (!this.key || compareKeys(this.key, key) !== 0) return;
    postings.addEncoded(this.#list, this.#base);
    this.#advance();
  }

  #advance(): void {
    const next = this.#entries.next();
    this.key = next.done ? undefined : next.value.key;
    if (!next.done) this.#list = next.value.list;
  }
}

function* entriesOfAll(blocks: readonly TermBlock[]): Generator<{ key: Uint8Array; list: Uint8Array }> {
  for (const { content } of blocks) yield* entriesOf(content);
}
