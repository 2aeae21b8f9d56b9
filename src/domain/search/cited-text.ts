import type { LineRange } from './citation.ts';

export interface CitedText {
  /** Exactly the cited lines, without the last line end. */
  readonly text: string;
  /** The content is not what it was when it was cited: lines that are no longer there, say. */
  readonly isChanged: boolean;
  /** In what way, as far as more is known. Part of a sentence. */
  readonly change?: string;
  /** Of a subject, where it is kept; of a reference, below its topic's files. */
  readonly path?: string;
}

/** All lines when there is no range. */
export function citedLines(text: string, range: LineRange | undefined): CitedText {
  const lines = linesOf(text);
  if (!range) return { text: lines.join('\n'), isChanged: false };
  return { text: lines.slice(range.first - 1, range.last).join('\n'), isChanged: range.last > lines.length };
}

/** A line end at the end of a text ends its last line. */
export function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
