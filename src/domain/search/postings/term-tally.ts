/** Counts the terms of many chunks. The hot path of indexing: a known run of letters never leaves Wasm. */

import { splitWord } from '../../words/split-word.ts';
import { stem } from '../../words/stem.ts';
import { wordsOf } from '../../words/terms.ts';
import { ensureBytes, instantiate } from '../vectors/kernel.ts';
import { TALLY_BASE64 } from './tally-bytes.ts';
import { isAscii } from './term-blocks.ts';

/** Longer runs hardly ever repeat, so they are not remembered. */
const LONGEST_RUN = 48;
/** A run whose hash collides with this many others was chosen to collide, and is not remembered. */
const PROBES = 64;
const MOST_RUNS = 1 << 19;
const RUN_BYTES = 20;
const PAGE_BYTES = 1 << 16;

/** Addresses that JavaScript and tally.wat share. */
const SLOTS = 0;
const MASK = 4;
const RUNS = 8;
const COUNTS = 12;
const TOUCHED = 16;
const FOUND = 20;
const LENGTH = 24;
const START = 28;
const END = 32;
const HASH = 36;
const LOG_TERMS = 40;
const LOG_CHUNKS = 44;
const LOG_WEIGHTS = 48;
const LOGGED = 52;
const CLASSES = 64;
const FREE = CLASSES + 256;

interface Tally {
  scan(at: number, end: number, weight: number, longest: number, probes: number): number;
  endChunk(chunk: number): void;
}

export class TermTally {
  /** Every known term; its index is its number. */
  readonly terms: string[] = [];
  /** Words, stemmed and not: a stem is its own stem, so one map serves both. */
  readonly #numbers = new Map<string, number>();
  readonly #memory = new WebAssembly.Memory({ initial: 128 });
  readonly #tally = instantiate<Tally>(TALLY_BASE64, this.#memory);
  #integers = new Int32Array(this.#memory.buffer);
  #bytes = new Uint8Array(this.#memory.buffer);
  #free = FREE;
  #text = { at: 0, size: 0 };
  /** Memory for the bytes and the values of the next run. */
  #page = { at: 0, end: 0 };
  #runCount = 0;
  #runCapacity = 0;
  #termCapacity = 0;
  #logCapacity = 0;

  constructor() {
    for (let byte = 0; byte < 256; byte++) this.#bytes[CLASSES + byte] = isWordByte(byte) ? 1 : 0;
    this.#growRuns(1 << 12);
    this.#growTerms(1 << 12);
    this.#growLog(1 << 16);
  }

  get logged(): number {
    return this.#get(LOGGED);
  }

  add(text: string, weight: number): void {
    if (text === '') return;
    if (text.length * 3 > this.#text.size) this.#growText(text.length * 6);
    const start = this.#text.at;
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(start, start + this.#text.size));
    const end = start + written;
    for (let at = start; ; ) {
      const outcome = this.#tally.scan(at, end, weight, LONGEST_RUN, PROBES);
      if (outcome === 0) return;
      const run = this.#runAt(text, written);
      // Wasm treats every byte beyond ASCII as a letter, including dashes and quotation marks.
      const words = isAscii(run) ? splitWord(run, 'text') : wordsOf(run);
      const terms = words.map((word) => this.#numberOf(word));
      if (outcome === 1 && this.#runCount < MOST_RUNS) {
        at = this.#get(START);
        this.#remember(terms);
      } else {
        at = this.#get(END);
        for (const term of terms) this.#count(term, weight);
      }
    }
  }

  /** Logs the current chunk under this number, returns its weighted length, and starts the next one. */
  endChunk(chunk: number): number {
    const length = this.#get(LENGTH);
    const needed = this.logged + this.#get(FOUND);
    if (needed > this.#logCapacity) this.#growLog(needed * 2);
    this.#tally.endChunk(chunk);
    return length;
  }

  /** Sorts the log by term and empties it: the chunks of term `t` are at `starts[t]` up to `starts[t + 1]`, rising. */
  takeLog() {
    const count = this.logged;
    const terms = this.#integers.subarray(this.#get(LOG_TERMS) / 4, this.#get(LOG_TERMS) / 4 + count);
    const chunks = this.#integers.subarray(this.#get(LOG_CHUNKS) / 4, this.#get(LOG_CHUNKS) / 4 + count);
    const weights = this.#bytes.subarray(this.#get(LOG_WEIGHTS), this.#get(LOG_WEIGHTS) + count);
    this.#set(LOGGED, 0);
    return sortedByTerm(terms, chunks, weights, this.terms.length);
  }

  /** The run that the scan stopped at; sliced from the text where each character is a byte. */
  #runAt(text: string, written: number): string {
    const start = this.#get(START);
    const end = this.#get(END);
    if (written === text.length) return text.slice(start - this.#text.at, end - this.#text.at);
    return decoder.decode(this.#bytes.subarray(start, end));
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const term = stem(word);
    const number = term === word ? this.terms.push(term) - 1 : this.#numberOf(term);
    this.#numbers.set(word, number);
    if (number >= this.#termCapacity) this.#growTerms(this.#termCapacity * 2);
    return number;
  }

  /** Does what tally.wat does for a known run. */
  #count(term: number, weight: number): void {
    const at = this.#get(COUNTS) / 4 + term;
    const before = this.#integers[at] as number;
    if (before === 0) {
      const found = this.#get(FOUND);
      this.#integers[this.#get(TOUCHED) / 4 + found] = term;
      this.#set(FOUND, found + 1);
    }
    this.#integers[at] = before + weight;
    this.#set(LENGTH, this.#get(LENGTH) + weight);
  }

  #remember(terms: readonly number[]): void {
    if (this.#runCount === this.#runCapacity) this.#growRuns(this.#runCapacity * 2);
    const start = this.#get(START);
    const length = this.#get(END) - start;
    const bytes = this.#inPage(length + 4 + terms.length * 4);
    this.#bytes.copyWithin(bytes, start, start + length);
    const values = (bytes + length + 3) & ~3;
    for (const [at, term] of terms.entries()) this.#set(values + at * 4, term);
    const run = this.#get(RUNS) + this.#runCount * RUN_BYTES;
    this.#set(run, this.#get(HASH));
    this.#set(run + 4, bytes);
    this.#set(run + 8, length);
    this.#set(run + 12, values);
    this.#set(run + 16, terms.length);
    this.#runCount += 1;
    this.#place(this.#get(HASH), this.#runCount);
  }

  #place(hash: number, number: number): void {
    const mask = this.#get(MASK);
    const slots = this.#get(SLOTS) / 4;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#integers[slots + slot] !== 0) slot = (slot + 1) & mask;
    this.#integers[slots + slot] = number;
  }

  #growRuns(capacity: number): void {
    const runs = this.#allocate(capacity * RUN_BYTES);
    const before = this.#get(RUNS);
    if (before > 0) this.#bytes.copyWithin(runs, before, before + this.#runCount * RUN_BYTES);
    this.#set(RUNS, runs);
    this.#set(SLOTS, this.#allocate(capacity * 2 * 4));
    this.#set(MASK, capacity * 2 - 1);
    this.#runCapacity = capacity;
    for (let run = 0; run < this.#runCount; run++) {
      this.#place(this.#integers[(runs + run * RUN_BYTES) / 4] as number, run + 1);
    }
  }

  #growTerms(capacity: number): void {
    this.#moved(COUNTS, capacity * 4, this.#termCapacity * 4);
    this.#moved(TOUCHED, capacity * 4, this.#termCapacity * 4);
    this.#termCapacity = capacity;
  }

  #growLog(capacity: number): void {
    this.#moved(LOG_TERMS, capacity * 4, this.#logCapacity * 4);
    this.#moved(LOG_CHUNKS, capacity * 4, this.#logCapacity * 4);
    this.#moved(LOG_WEIGHTS, capacity, this.#logCapacity);
    this.#logCapacity = capacity;
  }

  #growText(size: number): void {
    this.#text = { at: this.#allocate(size), size };
  }

  /** Moves a table to a larger place. */
  #moved(address: number, size: number, used: number): void {
    const before = this.#get(address);
    const to = this.#allocate(size);
    this.#bytes.copyWithin(to, before, before + used);
    this.#set(address, to);
  }

  #inPage(size: number): number {
    if (this.#page.at + size > this.#page.end) {
      const at = this.#allocate(PAGE_BYTES);
      this.#page = { at, end: at + PAGE_BYTES };
    }
    const { at } = this.#page;
    this.#page.at = (at + size + 3) & ~3;
    return at;
  }

  /** Returns zeroed memory. Freed memory is not reused: tables double, so it never exceeds what is in use. */
  #allocate(size: number): number {
    const at = this.#free;
    this.#free = (at + size + 7) & ~7;
    if (this.#free > this.#bytes.length) {
      ensureBytes(this.#memory, this.#free);
      this.#integers = new Int32Array(this.#memory.buffer);
      this.#bytes = new Uint8Array(this.#memory.buffer);
    }
    return at;
  }

  #get(address: number): number {
    return this.#integers[address / 4] as number;
  }

  #set(address: number, value: number): void {
    this.#integers[address / 4] = value;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function isWordByte(byte: number): boolean {
  return byte >= 0x80 || /[A-Za-z0-9_]/.test(String.fromCharCode(byte));
}

function sortedByTerm(terms: Int32Array, chunks: Int32Array, weights: Uint8Array, termCount: number) {
  const starts = new Int32Array(termCount + 1);
  for (let at = 0; at < terms.length; at++) {
    const after = (terms[at] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let term = 0; term < termCount; term++) {
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  }
  const next = starts.slice(0, termCount);
  const sorted = { chunks: new Int32Array(terms.length), weights: new Uint8Array(terms.length), starts };
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    const to = next[term] as number;
    next[term] = to + 1;
    sorted.chunks[to] = chunks[at] as number;
    sorted.weights[to] = weights[at] as number;
  }
  return sorted;
}
