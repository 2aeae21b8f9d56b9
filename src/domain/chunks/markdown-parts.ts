import { nameFrom } from './outline.ts';
import type { TextLines } from './text-lines.ts';

/** Lines of Markdown that belong together: a heading, a paragraph, a fence. Blank lines belong to what is above. */
export interface MarkdownPart {
  readonly first: number;
  readonly end: number;
  readonly heading?: { readonly level: number; readonly name: string };
  readonly isSolid: boolean;
}

/** In order, without leading blank lines. */
export function markdownParts(lines: TextLines): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let at = 0;
  while (at < lines.count) {
    if (lines.isBlank(at)) {
      at++;
      continue;
    }
    const part = partAt(lines, at);
    parts.push({ ...part, end: afterBlanks(lines, part.end) });
    at = part.end;
  }
  return parts;
}

function partAt(lines: TextLines, at: number): MarkdownPart {
  const frontMatterEnd = at === 0 ? endOfFrontMatter(lines) : 0;
  if (frontMatterEnd > 0) return solid(at, frontMatterEnd);
  if (!beginsWithMark(lines, at)) return paragraphAt(lines, at);
  const heading = hashHeading(lines.line(at));
  if (heading) return { first: at, end: at + 1, heading, isSolid: true };
  const end = endOfFence(lines, at) || endOfMarkup(lines, at);
  if (end > 0) return solid(at, end);
  return paragraphAt(lines, at);
}

/** Most lines are prose, as their first character shows. */
const MARKS = new Set([...'#`~<=-\ufeff'].map((mark) => mark.charCodeAt(0)));

function beginsWithMark(lines: TextLines, line: number): boolean {
  return MARKS.has(lines.firstUnit(line));
}

function solid(first: number, end: number): MarkdownPart {
  return { first, end, isSolid: true };
}

export function afterBlanks(lines: TextLines, line: number): number {
  let at = line;
  while (at < lines.count && lines.isBlank(at)) at++;
  return at;
}

/** Ends at a blank line, or before what cannot be in a paragraph. An underline makes it a heading. */
function paragraphAt(lines: TextLines, first: number): MarkdownPart {
  let at = first + 1;
  for (; at < lines.count && !lines.isBlank(at); at++) {
    if (!beginsWithMark(lines, at)) continue;
    const line = lines.line(at);
    const level = /^ {0,3}(?:(=)+|-+)[ \t]*\r?\n?$/.exec(line);
    if (level && canBeHeading(lines, first, at)) {
      const name = headingName(lines.slice(first, at));
      return { first, end: at + 1, heading: { level: level[1] ? 1 : 2, name }, isSolid: true };
    }
    if (hashHeading(line) || FENCE.test(line)) break;
  }
  return { first, end: at, isSolid: false };
}

const MOST_HEADING_LINES = 3;

function canBeHeading(lines: TextLines, first: number, end: number): boolean {
  return end - first <= MOST_HEADING_LINES && !/^\s*(?:[-+*>|]|\d+[.)])/.test(lines.line(first));
}

function hashHeading(line: string): MarkdownPart['heading'] {
  const match = /^\ufeff? {0,3}(#{1,6})(?=\s|$)/.exec(line);
  if (!match) return undefined;
  const [start, marks = ''] = match;
  return { level: marks.length, name: headingName(line.slice(start.length)) };
}

/** The heading as a reader sees it, without marks of Markdown. */
function headingName(text: string): string {
  const plain = text
    .slice(0, 400)
    .trimEnd()
    .replace(/\s#+$/, '')
    .trimEnd()
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/<[^<>]*>|`|\*\*|__/g, '');
  return nameFrom(plain);
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/** 0 when no fence begins here. An unclosed fence ends with the text. */
function endOfFence(lines: TextLines, first: number): number {
  const mark = FENCE.exec(lines.line(first))?.[1];
  if (!mark) return 0;
  for (let at = first + 1; at < lines.count; at++) {
    const closing = FENCE.exec(lines.line(at))?.[1];
    if (closing?.startsWith(mark) && lines.line(at).trim() === closing) return at + 1;
  }
  return lines.count;
}

const LONGEST_FRONT_MATTER = 200;

function endOfFrontMatter(lines: TextLines): number {
  const mark = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n$/.exec(lines.line(0))?.[1];
  if (!mark) return 0;
  for (let at = 1; at < Math.min(lines.count, LONGEST_FRONT_MATTER); at++) {
    if (lines.line(at).trimEnd() === mark) return at + 1;
  }
  return 0;
}

const MARKUP = /^ {0,3}<(?:(!--)|(pre|script|style|textarea)\b)/i;

/** Comments and verbatim HTML contain no headings; 0 when none begins here. */
function endOfMarkup(lines: TextLines, first: number): number {
  const match = MARKUP.exec(lines.line(first));
  if (!match) return 0;
  const closing = match[1] ? '-->' : `</${match[2]?.toLowerCase()}>`;
  for (let at = first; at < lines.count; at++) {
    if (lines.line(at).toLowerCase().includes(closing)) return at + 1;
  }
  return lines.count;
}
