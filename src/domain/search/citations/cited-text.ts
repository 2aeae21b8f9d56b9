import { joinedLines, type LineRange, linesOf } from '../../../base/line-range.ts';

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
  return { text: joinedLines(lines, range), isChanged: range !== undefined && range.last > lines.length };
}
