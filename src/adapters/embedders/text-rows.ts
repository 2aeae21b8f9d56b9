/** Finds the rows of the model's table whose weighted sum is the vector of a text. */

import { fnv1a, fnvStep } from '../../base/checksum.ts';
import { asciiPieces } from '../../domain/words/split-word.ts';
import { doubled, RunTable, UNKNOWN } from './run-table.ts';
import type { Vocabulary } from './vocabulary.ts';

const MAX_RUNS = 320;
const MAX_PIECE = 40;
const MAX_GRAMS = 24;
/** Rows after the vocabulary, shared by unknown pieces by the hash of their parts. */
const BUCKETS = 24_576;
/** Packs a row and the number of parts of its piece into one number. */
const PARTS = 32;

export class TextRows {
  /** Rows of the current text; `found` of them are valid. */
  touched = new Int32Array(1024);
  found = 0;
  /** By row. */
  readonly weights: Float32Array;
  readonly #vocabulary: Vocabulary;
  readonly #bucketStart: number;
  readonly #runs = new RunTable();

  constructor(vocabulary: Vocabulary, rowCount: number) {
    this.#vocabulary = vocabulary;
    this.#bucketStart = rowCount - BUCKETS;
    this.weights = new Float32Array(rowCount);
  }

  read(text: string): void {
    for (let at = 0; at < this.found; at++) this.weights[this.touched[at] as number] = 0;
    this.found = 0;
    let count = 0;
    for (let at = 0; at < text.length && count < MAX_RUNS; ) {
      const end = runEnd(text, at);
      if (end > at) {
        this.#add(text, at, end);
        count += 1;
      }
      at = Math.max(end, at + 1);
    }
  }

  #add(text: string, start: number, end: number): void {
    let hash = 0;
    for (let at = start; at < end; at++) hash = fnvStep(hash, text.charCodeAt(at));
    let run = this.#runs.find(text, start, end, hash);
    if (run < 0) {
      const rows = this.#rowsOf(text.slice(start, end));
      if (run !== UNKNOWN) {
        for (const row of rows) this.#count(row);
        return;
      }
      run = this.#runs.remember(text, start, end, hash, rows);
    }
    const last = this.#runs.end(run);
    for (let at = this.#runs.start(run); at < last; at++) this.#count(this.#runs.value(at));
  }

  #count(packed: number): void {
    const row = packed >>> 5;
    const before = this.weights[row] as number;
    if (before === 0) {
      if (this.found === this.touched.length) this.touched = doubled(this.touched);
      this.touched[this.found++] = row;
    }
    this.weights[row] = before + 1 / (packed % PARTS);
  }

  #rowsOf(run: string): number[] {
    const pieces = run.charCodeAt(0) < 0x80 ? asciiPieces(run) : [run.toLowerCase()];
    const joined = pieces.join('');
    const all = pieces.length > 1 && joined.length <= MAX_PIECE ? [...pieces, joined] : pieces;
    return all.flatMap((piece) => this.#rowsOfPiece(cut(piece)));
  }

  #rowsOfPiece(piece: string): number[] {
    const bytes = encoder.encode(piece);
    const row = this.#vocabulary.rowOf(bytes);
    if (row !== undefined) return [row * PARTS + 1];
    const hashes = bytes.length === piece.length ? asciiGrams(piece) : grams(piece);
    return hashes.map((hash) => (this.#bucketStart + (hash % BUCKETS)) * PARTS + hashes.length);
  }
}

const encoder = new TextEncoder();
const GRAM_LENGTHS = [3, 4, 5];

/** Hashes of the first parts of `<piece>`: those of three characters, then of four, then of five. */
function grams(piece: string): number[] {
  const characters = ['<', ...piece, '>'];
  if (characters.length < 5) return [];
  const hashes: number[] = [];
  for (const length of GRAM_LENGTHS) {
    for (let at = 0; at + length <= characters.length && hashes.length < MAX_GRAMS; at++) {
      hashes.push(fnv1a(encoder.encode(characters.slice(at, at + length).join(''))));
    }
  }
  return hashes;
}

/** Faster, for a piece of ASCII characters, which nearly all are. */
function asciiGrams(piece: string): number[] {
  if (piece.length < 3) return [];
  const bytes = encoder.encode(`<${piece}>`);
  const hashes: number[] = [];
  for (const length of GRAM_LENGTHS) {
    for (let at = 0; at + length <= bytes.length && hashes.length < MAX_GRAMS; at++) {
      hashes.push(fnv1a(bytes, at, at + length));
    }
  }
  return hashes;
}

/** Cuts to the first code points. */
function cut(piece: string): string {
  return piece.length <= MAX_PIECE ? piece : [...piece].slice(0, MAX_PIECE).join('');
}

/** End of the run that starts here: ASCII letters, digits, `_` and `$`, or letters beyond ASCII. */
function runEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && ASCII_RUN[text.charCodeAt(at)] === 1) at += 1;
  if (at > start) return at;
  while (at < text.length && text.charCodeAt(at) >= 0x80) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (!/\p{L}/u.test(character)) break;
    at += character.length;
  }
  return at;
}

const ASCII_RUN = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(unit)) ? 1 : 0,
);
