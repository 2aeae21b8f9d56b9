/** Structure of a text, along which pack-outline.ts cuts. */

/** Whole lines that belong together. */
export interface Block {
  /** Lines from 0; `end` is the line after the last. */
  readonly first: number;
  readonly end: number;
  /** Name of the symbol or heading; empty for a statement or a paragraph. */
  readonly name: string;
  /** Parts to cut it into when it is too large, in order. Text between them belongs to it alone. */
  readonly blocks: readonly Block[];
  /** Cut only when it is above the cap. */
  readonly isSolid?: boolean;
}

/** Outlines are no deeper than this; deeper text is cut by its lines. */
export const DEEPEST_OUTLINE = 12;

const LONGEST_NAME = 80;

/** A name from a foreign text as one short line. */
export function nameFrom(text: string): string {
  // Whatever comes later would be cut off: no more is looked at, however long it is.
  const line = text
    .slice(0, LONGEST_NAME * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join('')}…` : line;
}
