/** Lines of a text, counted from 1; both ends are included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The lines of a text. A line end at the end of the text begins no further line; an empty text has no lines. */
export function linesOf(text: string, lineEnd: string | RegExp = '\n'): string[] {
  const lines = text.split(lineEnd);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The lines of a range that are there, joined; all lines when there is no range. */
export function joinedLines(lines: readonly string[], range: LineRange | undefined): string {
  return (range ? lines.slice(range.first - 1, range.last) : lines).join('\n');
}

/** `#L3-L9`, as citations end; `#L3` for one line, nothing without a range. */
export function lineAnchor(range: LineRange | undefined): string {
  if (!range) return '';
  return range.first === range.last ? `#L${range.first}` : `#L${range.first}-L${range.last}`;
}
