import { neutralise } from '../../../base/terminal-text.ts';
import { styler } from '../terminal-abilities.ts';
import { markdownChunker } from './markdown-chunks.ts';
import { chunkPrinter } from './markdown-printer.ts';

export interface MarkdownOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Otherwise addresses are written out. */
  readonly hyperlinks: boolean;
}

export interface MarkdownPrinter {
  /** Accepts text cut anywhere, and prints finished blocks. */
  write(piece: string): void;
  /** Prints the rest. Later text is a new one, after a blank line. */
  end(): void;
}

/** Does not depend on how the text was cut. A link finds a definition before it or in the same block. */
export async function markdownPrinter(
  options: MarkdownOptions,
  print: (text: string) => void,
): Promise<MarkdownPrinter> {
  const { Lexer } = await import('marked');
  const chunker = markdownChunker();
  const printer = chunkPrinter({ ...options, style: styler(options.color) }, Lexer, print);
  let rest = '';
  const line = (text: string) => {
    for (const chunk of chunker.line(neutralise(text))) printer.print(chunk);
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
      for (const chunk of chunker.end()) printer.print(chunk);
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
