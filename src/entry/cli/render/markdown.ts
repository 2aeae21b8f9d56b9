/** Markdown for the terminal, printed block by block while it arrives. */

import { neutralise } from '../../../base/terminal-text.ts';
import { markdownChunker } from './markdown-chunks.ts';
import { chunkPrinter } from './markdown-printer.ts';
import { styler } from './style.ts';

export interface MarkdownOptions {
  readonly columns: number;
  readonly color: boolean;
  /** The terminal opens OSC 8 links; otherwise addresses are written out. */
  readonly hyperlinks: boolean;
}

export interface MarkdownPrinter {
  /** Takes the next piece of text, cut anywhere, and prints the finished blocks. */
  write(piece: string): void;
  /** Prints the rest. Text written afterwards is a new one, after a blank line. */
  end(): void;
}

/**
 * Prints whole lines; the result does not depend on how the text was cut. A link to a definition is resolved if the
 * definition came before it or in the same block.
 */
export async function markdownPrinter(
  options: MarkdownOptions,
  print: (text: string) => void,
): Promise<MarkdownPrinter> {
  const { Lexer } = await import('marked');
  const chunker = markdownChunker();
  const show = chunkPrinter({ ...options, style: styler(options.color) }, Lexer, print);
  let rest = '';
  const line = (text: string) => {
    for (const chunk of chunker.line(neutralise(text))) show(chunk);
  };
  return {
    write(piece) {
      const lines = `${rest}${piece}`.split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) line(text.endsWith('\r') ? text.slice(0, -1) : text);
    },
    end() {
      if (rest !== '') line(rest);
      rest = '';
      for (const chunk of chunker.end()) show(chunk);
    },
  };
}

export async function renderMarkdown(text: string, options: MarkdownOptions): Promise<string> {
  let shown = '';
  const printer = await markdownPrinter(options, (part) => {
    shown += part;
  });
  printer.write(text);
  printer.end();
  return shown;
}
