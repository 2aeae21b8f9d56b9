/** Text in a given width. */

import { displayWidth, graphemes } from './terminal-text.ts';

/**
 * Breaks at spaces, and between wide characters, so that no line is wider than `columns`; a longer word stands
 * alone on its line. Line ends stay; what continues a line is indented like its beginning.
 */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

/** At most `columns` wide; what is cut off the end is marked by an ellipsis. */
export function truncateText(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += displayWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/** A part of a line that is not broken: a word, or the space between two. */
export interface Piece {
  readonly text: string;
  readonly width: number;
  readonly isSpace: boolean;
}

export function linePieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [text] of line.matchAll(/ +|[^ ]+/g)) {
    if (text.startsWith(' ')) pieces.push({ text, width: text.length, isSpace: true });
    else for (const part of unbreakable(text)) pieces.push(part);
  }
  return pieces;
}

/** Fills lines greedily. Spaces where a line is broken are left out. */
export function fillLines<Any extends Piece>(pieces: Iterable<Any>, columns: number): Any[][] {
  const lines: Any[][] = [];
  let line: Any[] = [];
  let gap: Any[] = [];
  let width = 0;
  for (const piece of pieces) {
    if (piece.isSpace) {
      gap.push(piece);
      continue;
    }
    const wanted = piece.width + total(gap);
    if (line.length > 0 && width + wanted > columns) {
      lines.push(line);
      line = [piece];
      width = piece.width;
    } else {
      line.push(...gap, piece);
      width += wanted;
    }
    gap = [];
  }
  return [...lines, line];
}

function wrapLine(line: string, columns: number): string {
  const spaced = expandTabs(line);
  if (displayWidth(spaced) <= columns) return line;
  const indent = /^ */.exec(spaced)?.[0] ?? '';
  const start = indent.length <= columns / 2 ? indent : '';
  const filled = fillLines(linePieces(spaced.slice(indent.length)), Math.max(1, columns - start.length));
  return filled.map((pieces) => `${start}${pieces.map(({ text }) => text).join('')}`).join('\n');
}

function total(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { width }) => sum + width, 0);
}

/** To the stops that terminals have, every eight columns. */
function expandTabs(line: string): string {
  let expanded = '';
  for (const [at, part] of line.split('\t').entries()) {
    if (at > 0) expanded += ' '.repeat(8 - (displayWidth(expanded) % 8));
    expanded += part;
  }
  return expanded;
}

/** A word without spaces, cut where scripts of wide characters may be cut. */
function unbreakable(word: string): Piece[] {
  if (!MAY_BE_WIDE.test(word)) return [{ text: word, width: displayWidth(word), isSpace: false }];
  const pieces: Piece[] = [];
  let text = '';
  let last = { text: '', width: 0 };
  for (const grapheme of graphemes(word)) {
    const next = { text: grapheme, width: displayWidth(grapheme) };
    const mayBreak =
      (last.width === 2 || next.width === 2) && !NO_END.test(last.text) && !NO_START.test(grapheme);
    if (text !== '' && mayBreak) {
      pieces.push({ text, width: displayWidth(text), isSpace: false });
      text = '';
    }
    text += grapheme;
    last = next;
  }
  return [...pieces, { text, width: displayWidth(text), isSpace: false }];
}

const MAY_BE_WIDE = /[\u1100-\u{10ffff}]/u;
const NO_START =
  /^[)\]}>,.:;!?%、。，．・：；？！）］｝」』】〕〉》〗〙％ーゝゞ々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥’”]/;
const NO_END = /^[([{<（［｛「『【〔〈《〖〘‘“]/;
