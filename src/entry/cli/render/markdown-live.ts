/** Markdown at a terminal, shown as it arrives: styled at once, and redrawn when the rest of a block changes its meaning. */

import { neutralise } from '../../../base/terminal-text.ts';
import { styler } from '../terminal-abilities.ts';
import type { LiveArea } from './live-area.ts';
import type { MarkdownOptions, MarkdownPrinter } from './markdown.ts';
import { type Chunk, markdownChunker } from './markdown-chunks.ts';
import { type ChunkPrinter, chunkPrinter } from './markdown-printer.ts';
import { tableMemory } from './markdown-table.ts';

/** Often enough that words seem to come one by one, rarely enough for a model that sends thousands a second. */
const REDRAW_MS = 30;

export async function liveMarkdown(
  options: MarkdownOptions,
  area: LiveArea,
  redrawMs = REDRAW_MS,
): Promise<MarkdownPrinter> {
  const { Lexer } = await import('marked');
  const chunker = markdownChunker();
  const tables = tableMemory();
  let output = '';
  // The width may change while the text arrives.
  const layout = {
    get columns() {
      return options.columns;
    },
    color: options.color,
    hyperlinks: options.hyperlinks,
    style: styler(options.color),
    tables,
  };
  const printer = chunkPrinter(layout, Lexer, (text) => {
    output += text;
  });
  // Before the first word comes, there is time.
  setImmediate(() => rehearse(chunkPrinter({ ...layout, tables: tableMemory() }, Lexer, () => {})));
  let rest = '';
  let settled: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;

  const taken = (): string[] => {
    const lines = output.split('\n').slice(0, -1);
    output = '';
    return lines;
  };
  const settle = (chunks: readonly Chunk[]) => {
    tables.begin();
    for (const chunk of chunks) printer.print(chunk);
    if (output !== '') tables.forget();
    settled.push(...taken());
  };
  const draw = () => {
    clearTimeout(timer);
    timer = undefined;
    tables.begin();
    printer.tentatively(() => {
      for (const chunk of chunker.preview(neutralise(rest))) printer.print(completed(chunk));
    });
    area.update(settled, taken());
    // Rows that left the screen cannot change, so the table keeps the widths that they have.
    if (area.finalRows > 0) tables.keep();
    settled = [];
    drawnAt = performance.now();
  };
  return {
    write(piece) {
      const lines = `${rest}${piece}`.split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines)
        settle(chunker.line(neutralise(text.endsWith('\r') ? text.slice(0, -1) : text)));
      const due = drawnAt + redrawMs - performance.now();
      if (due <= 0) draw();
      else timer ??= setTimeout(draw, due);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      if (rest !== '') settle(chunker.line(neutralise(rest)));
      rest = '';
      settle(chunker.end());
      area.update(settled, []);
      settled = [];
    },
  };
}

/** Code that runs for the first time takes most of the time of a first word. */
function rehearse(printer: ChunkPrinter): void {
  for (const chunk of markdownChunker().preview(neutralise('A **word**'))) printer.print(completed(chunk));
}

function completed(chunk: Chunk): Chunk {
  return chunk.kind === 'blocks' ? { ...chunk, text: completeInline(chunk.text) } : chunk;
}

/** Closes what the last line of unfinished Markdown opens: emphasis, code, the address of a link. */
export function completeInline(text: string): string {
  const lines = text.trimEnd().split('\n');
  const from = lines.findLastIndex(
    (line) => line.trim() === '' || /^\s*(?:[*+-]|\d+[.)]|#+|\||>)/.test(line),
  );
  const start = Math.max(0, from);
  const above = lines.slice(0, start).map((line) => `${line}\n`);
  return `${above.join('')}${closed(lines.slice(start).join('\n'))}\n`;
}

const MARK = /\\.|`+|\*+|_+|~~|[^\\`*_~]+|./gsu;

function closed(text: string): string {
  const open: string[] = [];
  let seen = '';
  const marks = [...text.matchAll(MARK)].map(([mark]) => mark);
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at] ?? '';
    const next = marks[at + 1] ?? '';
    if (mark.startsWith('`')) {
      const end = marks.indexOf(mark, at + 1);
      const isOpen = end === -1;
      if (isOpen && next === '') return closing(seen, open);
      if (isOpen) return closing(`${seen}${marks.slice(at).join('')}`, [...open, mark]);
      seen += marks.slice(at, end + 1).join('');
      at = end;
      continue;
    }
    if (/^(?:[*_]+|~~)$/.test(mark)) {
      const opened = open.lastIndexOf(mark);
      if (opened !== -1 && /\S$/.test(seen)) open.length = opened;
      else if (next === '') return closing(seen, open);
      else if (/^\S/.test(next) && !/[\p{L}\p{N}]$/u.test(seen)) open.push(mark);
    }
    seen += mark;
  }
  return closing(seen, open);
}

function closing(text: string, open: readonly string[]): string {
  const shown = text.trimEnd();
  const address = /\]\([^()\s]*$/.test(shown) ? ')' : '';
  return `${shown}${address}${open.toReversed().join('')}`;
}
