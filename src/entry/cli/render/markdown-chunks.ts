/**
 * Cuts Markdown, line by line, where later lines cannot change how earlier ones look, and waits if in doubt. Fenced
 * code at the top level comes line by line, list items one by one, everything else in whole blocks.
 */

import { type Block, blockOf, type Fence, fenceOf, isBlank, isHeading, isRule } from './markdown-lines.ts';

export type Chunk =
  | { readonly kind: 'blocks'; readonly text: string }
  | { readonly kind: 'code-start'; readonly fence: Fence }
  | { readonly kind: 'code-line'; readonly line: string }
  | { readonly kind: 'code-end'; readonly fence: Fence };

export interface Chunker {
  line(text: string): Chunk[];
  /** Ends the text; later lines belong to another one. */
  end(): Chunk[];
  /** Chunks of the lines that are still waited for, as if the text ended after `rest`. Changes nothing. */
  preview(rest: string): Chunk[];
}

export function markdownChunker(): Chunker {
  let code: Fence | undefined;
  let gathered: { readonly lines: string[]; block: Block } | undefined;

  const flush = (): Chunk[] => {
    const text = gathered?.lines.map((line) => `${line}\n`).join('');
    gathered = undefined;
    return text ? [{ kind: 'blocks', text }] : [];
  };

  const open = (line: string): Chunk[] => {
    if (isBlank(line)) return [];
    code = fenceOf(line);
    if (code) return [{ kind: 'code-start', fence: code }];
    gathered = { lines: [line], block: blockOf(line) };
    return isHeading(line) || isRule(line) ? flush() : [];
  };

  const inCode = (fence: Fence, line: string): Chunk[] => {
    if (!fence.closes(line)) return [{ kind: 'code-line', line: fence.unindent(line) }];
    code = undefined;
    return [{ kind: 'code-end', fence }];
  };

  const chunker: Chunker = {
    line(text) {
      if (code) return inCode(code, text);
      if (!gathered) return open(text);
      const { lines, block } = gathered;
      if (isBlank(text)) {
        lines.push(text);
        return block.endsAtBlank ? flush() : [];
      }
      if (block.endsBefore(text, isBlank(lines.at(-1) ?? ''))) return [...flush(), ...open(text)];
      lines.push(text);
      gathered.block = block.with(text);
      return [];
    },
    end() {
      const open = code;
      code = undefined;
      return [...flush(), ...(open ? [{ kind: 'code-end' as const, fence: open }] : [])];
    },
    preview(rest) {
      const before = { code, gathered: gathered && { ...gathered, lines: [...gathered.lines] } };
      const chunks = isOnlyMarks(rest, code !== undefined) ? flush() : [...chunker.line(rest), ...flush()];
      ({ code, gathered } = before);
      return chunks;
    },
  };
  return chunker;
}

/** Marks without a word: a list, a heading, a rule or the end of code may begin with them, so it is too early to tell. */
function isOnlyMarks(line: string, isCode: boolean): boolean {
  return isCode ? /^ {0,3}[`~]*$/.test(line) : /^[\s\-=*+_#>~|:`]*$/.test(line);
}
