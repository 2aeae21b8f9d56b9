import { joinedLines, type LineRange, linesOf } from '../../../base/line-range.ts';

export interface CitedText {
  /** Exactly the cited lines, without the last line end. */
  readonly text: string;
  /** The content has changed since it was cited; for example, lines are gone. */
  readonly isChanged: boolean;
  /** In what way, as far as more is known. Part of a sentence. */
  readonly change?: string;
  /** Path of the subject, or path below the files of the reference topic. */
  readonly path?: string;
}

/** All lines when there is no range. */
export function citedLines(text: string, range: LineRange | undefined): CitedText {
  const lines = linesOf(text);
  return { text: joinedLines(lines, range), isChanged: range !== undefined && range.last > lines.length };
}
