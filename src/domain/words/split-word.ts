/** Splits a run of letters and digits into the words it is found by: its pieces, and the whole. */

import { lazy } from '../../base/lazy.ts';
import { classOf, fold, SEPARATOR, UNSPACED } from './characters.ts';

/** Longer words are cut. A run with more pieces is a key, hash or encoded bytes, and only the whole is kept. */
const MAX_LENGTH = 64;
const MAX_PIECES = 12;

/**
 * `readFileSync`, `read_file_sync` and `read-file-sync` give `read file sync readfilesync`. `日本語` gives its pairs,
 * and in a text also single characters, so that a question of one character finds it.
 */
export function splitWord(run: string, side: 'text' | 'query'): string[] {
  if (PLAIN_WORD.test(run)) return [run];
  if (ASCII.test(run)) return compoundWords(asciiPieces(run));
  const usual = run.normalize('NFKC');
  if (PLAIN.test(usual)) return compoundWords(asciiPieces(usual));
  return scriptSegments(usual).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? pairs([...fold(text)], side) : compoundWords((text.match(pieces()) ?? []).map(fold)),
  );
}

/** Most words match this. */
const PLAIN_WORD = /^[a-z]{1,64}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const PLAIN = /^[A-Za-z0-9]+$/;
const pieces = lazy(
  () => /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{M}*\p{Ll}[\p{Ll}\p{M}]*|[\p{Lu}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu,
);

function compoundWords(pieces: readonly string[]): string[] {
  const words = pieces.length > MAX_PIECES ? [] : pieces.map(cut);
  if (pieces.length > 1) words.push(cut(pieces.join('')));
  return words;
}

function cut(word: string): string {
  return word.length > MAX_LENGTH ? word.slice(0, MAX_LENGTH) : word;
}

/** Cuts where case or kind changes, in lower case: `parseJSONFile2` gives `parse json file 2`. */
export function asciiPieces(run: string): string[] {
  const lower = run.toLowerCase();
  const pieces: string[] = [];
  let start = 0;
  let kind = kindOf(run.charCodeAt(0));
  for (let at = 1; at <= run.length; at++) {
    const next = at < run.length ? kindOf(run.charCodeAt(at)) : NONE;
    if (next === kind && (kind !== UPPER || at + 1 >= run.length || kindOf(run.charCodeAt(at + 1)) !== LOWER))
      continue;
    if (kind === UPPER && next === LOWER && at - start === 1) {
      kind = LOWER;
      continue;
    }
    if (kind !== NONE && at > start) pieces.push(lower.slice(start, at));
    start = at;
    kind = next;
  }
  return pieces;
}

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return LOWER;
  if (unit >= 0x41 && unit <= 0x5a) return UPPER;
  return unit >= 0x30 && unit <= 0x39 ? DIGIT : NONE;
}

function pairs(characters: readonly string[], side: 'text' | 'query'): string[] {
  const found = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return side === 'text' || found.length === 0 ? [...characters, ...found] : found;
}

function scriptSegments(run: string): { text: string; isUnspaced: boolean }[] {
  const segments: { text: string; isUnspaced: boolean }[] = [];
  for (const character of run) {
    const found = classOf(character);
    const isUnspaced = found === UNSPACED;
    const last = segments.at(-1);
    if (last && found !== SEPARATOR && last.isUnspaced === isUnspaced) last.text += character;
    else segments.push({ text: found === SEPARATOR ? '' : character, isUnspaced });
  }
  return segments;
}
