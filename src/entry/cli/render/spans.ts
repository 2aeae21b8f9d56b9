import { displayWidth, fillLines, linePieces } from '../../../base/terminal-text.ts';
import type { Style, Styler } from '../terminal-abilities.ts';

type OneStyle = Exclude<Style, readonly unknown[]>;

export interface Span {
  /** Neutralised; a line feed is a forced line end. */
  readonly text: string;
  readonly styles: readonly OneStyle[];
  /** Address that a click opens: printable ASCII only. */
  readonly target?: string | undefined;
}

/** As far as words allow. */
export function wrapSpans(spans: readonly Span[], columns: number): Span[][] {
  const text = spans.map((span) => span.text).join('');
  const lines: Span[][] = [];
  let lineStart = 0;
  for (const line of text.split('\n')) {
    for (const { from, to } of ranges(line, columns))
      lines.push(slice(spans, lineStart + from, lineStart + to));
    lineStart += line.length + 1;
  }
  return lines;
}

export function spansWidth(spans: readonly Span[]): number {
  return displayWidth(spans.map(({ text }) => text).join(''));
}

/** Adds escape sequences. */
export function paint(spans: readonly Span[], style: Styler): string {
  return spans
    .map(({ text, styles, target }) => {
      const styled = styles.length > 0 ? style([...styles], text) : text;
      return target && text !== '' ? `\u001b]8;;${target}\u001b\\${styled}\u001b]8;;\u001b\\` : styled;
    })
    .join('');
}

function ranges(line: string, columns: number): { from: number; to: number }[] {
  let at = 0;
  const pieces = linePieces(line).map((piece) => {
    const from = at;
    at += piece.text.length;
    return { ...piece, from, to: at };
  });
  const start = pieces.findIndex(({ isSpace }) => !isSpace);
  return fillLines(pieces.slice(Math.max(0, start)), Math.max(1, columns)).map((filled) => ({
    from: filled[0]?.from ?? 0,
    to: filled.at(-1)?.to ?? 0,
  }));
}

function slice(spans: readonly Span[], from: number, to: number): Span[] {
  const cut: Span[] = [];
  let start = 0;
  for (const span of spans) {
    const text = span.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (text !== '') cut.push({ ...span, text });
    start += span.text.length;
  }
  return cut;
}
