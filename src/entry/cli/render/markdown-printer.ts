import type { Lexer, Links, MarkedToken } from 'marked';
import { wrapText } from '../../../base/terminal-text.ts';
import {
  blockLines,
  codeEnd,
  codeStart,
  endsBlank,
  itemLines,
  type Layout,
  markerOf,
  numbered,
} from './markdown-blocks.ts';
import type { Chunk } from './markdown-chunks.ts';

/** The list that was printed last, if the next item may belong to it. */
interface OpenList {
  readonly marker: string;
  readonly next: number;
  readonly isApart: boolean;
}

interface Before {
  readonly links: Links;
  readonly list: OpenList | undefined;
  readonly isFirst: boolean;
  readonly wasDefinition: boolean;
}

export interface ChunkPrinter {
  print(chunk: Chunk): void;
  /** Runs `work`, after which the next chunk is printed as if `work` had printed nothing. */
  tentatively(work: () => void): void;
}

/** Puts one blank line between blocks. */
export function chunkPrinter(
  layout: Layout,
  MarkedLexer: typeof Lexer,
  print: (text: string) => void,
): ChunkPrinter {
  let links: Links = Object.create(null);
  let list: OpenList | undefined;
  let isFirst = true;
  let wasDefinition = false;

  const printBlock = (lines: readonly string[], isApart: boolean) => {
    if (lines.length === 0) return;
    if (!isFirst && isApart) print('\n');
    for (const line of lines) print(`${line}\n`);
    isFirst = false;
  };

  const printToken = (token: MarkedToken, endsApart: boolean) => {
    if (token.type !== 'list') {
      const lines = blockLines(token, layout);
      if (lines.length > 0) list = undefined;
      printBlock(lines, !(wasDefinition && token.type === 'def'));
      wasDefinition = token.type === 'def';
      return;
    }
    const marker = markerOf(token);
    const before = list?.marker === marker ? list : undefined;
    const start = before?.next ?? Number(token.start);
    let isApart = before?.isApart ?? true;
    for (const each of numbered(token, start)) {
      printBlock(itemLines(each.item, each.marker, layout), isApart);
      isApart = each.isApart;
    }
    list = { marker, next: start + token.items.length, isApart: endsApart };
  };

  const printBlocks = (text: string) => {
    const tokens = lex(text, links, MarkedLexer);
    if (!tokens) printBlock(wrapText(text.trimEnd(), layout.columns).split('\n'), true);
    for (const token of tokens ?? []) printToken(token as MarkedToken, endsBlank(text));
  };

  return {
    print(chunk) {
      if (chunk.kind === 'blocks') printBlocks(chunk.text);
      else if (chunk.kind === 'code-line') print(`${chunk.line}\n`);
      else if (chunk.kind === 'code-end') print(`${codeEnd(chunk.fence, layout.style)}\n`);
      else {
        list = undefined;
        printBlock([codeStart(chunk.fence, layout.style)], true);
      }
    },
    tentatively(work) {
      const before: Before = {
        links: Object.assign(Object.create(null), links),
        list,
        isFirst,
        wasDefinition,
      };
      work();
      ({ links, list, isFirst, wasDefinition } = before);
    },
  };
}

function lex(text: string, links: Links, MarkedLexer: typeof Lexer) {
  if (isCostly(text)) return undefined;
  try {
    const lexer = new MarkedLexer();
    Object.assign(lexer.tokens.links, links);
    const tokens = lexer.lex(text);
    Object.assign(links, tokens.links);
    return tokens;
  } catch {
    return undefined;
  }
}

/** The lexer takes quadratic time on some artificial text, which is printed unchanged instead. */
function isCostly(text: string): boolean {
  return text.length > 20_000 || /\S{2000}/.test(text) || (text.match(/[*_]/g)?.length ?? 0) > 1000;
}
