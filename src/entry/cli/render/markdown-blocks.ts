import type { MarkedToken, Token, Tokens } from 'marked';
import { neutralise, wrapText } from '../../../base/terminal-text.ts';
import type { Styler } from '../terminal-abilities.ts';
import { type InlineOptions, inlineSpans } from './markdown-inline.ts';
import { type Fence, fenceOf } from './markdown-lines.ts';
import { type TableMemory, tableLines } from './markdown-table.ts';
import { paint, type Span, wrapSpans } from './spans.ts';

export interface Layout extends InlineOptions {
  readonly columns: number;
  readonly style: Styler;
  readonly tables?: TableMemory;
}

/** With a blank line where the source has one. */
function nestedLines(tokens: readonly Token[], layout: Layout): string[] {
  const lines: string[] = [];
  let isApart = false;
  for (const token of tokens) {
    const own = blockLines(token as MarkedToken, layout);
    if (own.length > 0) {
      if (isApart && lines.length > 0) lines.push('');
      lines.push(...own);
      isApart = false;
    }
    isApart ||= endsBlank(token.raw) || token.type === 'space';
  }
  return lines;
}

/** Empty for blank space between blocks. */
export function blockLines(token: MarkedToken, layout: Layout): string[] {
  switch (token.type) {
    case 'heading':
      return wrapped(heading(token, layout), layout);
    case 'paragraph':
      return wrapped(inlineSpans(token.tokens, layout), layout);
    case 'text':
      return wrapped(inlineSpans([token], layout), layout);
    case 'code':
      return codeLines(token, layout);
    case 'blockquote':
      return prefixed(nestedLines(token.tokens, narrower(layout, 2)), `${layout.style('dim', '│')} `);
    case 'list':
      return numbered(token).flatMap(({ item, marker, isApart }) => [
        ...itemLines(item, marker, layout),
        ...(isApart ? [''] : []),
      ]);
    case 'table':
      return tableLines(token, layout);
    case 'hr':
      return [layout.style('dim', '─'.repeat(Math.min(layout.columns, 60)))];
    case 'html':
      return sourceLines(token.raw, layout);
    case 'def':
      return sourceLines(token.raw, layout).map((line) => layout.style('dim', line));
    default:
      return [];
  }
}

function sourceLines(raw: string, layout: Layout): string[] {
  return wrapText(neutralise(raw).trimEnd(), layout.columns).split('\n');
}

export interface NumberedItem {
  readonly item: Tokens.ListItem;
  readonly marker: string;
  /** A blank line follows in the source, and another item. */
  readonly isApart: boolean;
}

/** Numbers continue from the first number, or from `start`, whatever numbers the source has. */
export function numbered(list: Tokens.List, start = Number(list.start)): NumberedItem[] {
  return list.items.map((item, at) => ({
    item,
    marker: list.ordered ? `${start + at}${markerOf(list)} ` : '- ',
    isApart: at < list.items.length - 1 && endsBlank(item.raw),
  }));
}

/** The bullet, or the sign after the numbers; another one begins another list. */
export function markerOf(list: Tokens.List): string {
  return /^\s*\d*(\S)/.exec(list.raw)?.[1] ?? '-';
}

export function itemLines(item: Tokens.ListItem, marker: string, layout: Layout): string[] {
  const lead = item.task ? `${marker}[${item.checked ? 'x' : ' '}] ` : marker;
  const [first = '', ...others] = nestedLines(item.tokens, narrower(layout, lead.length));
  return [`${lead}${first}`.trimEnd(), ...prefixed(others, ' '.repeat(lead.length))];
}

export function endsBlank(raw: string): boolean {
  return /\n[ \t]*\n$/.test(raw);
}

function heading({ depth, tokens }: Tokens.Heading, layout: Layout): Span[] {
  const styles: Span['styles'] = depth === 1 ? ['bold', 'underline'] : ['bold'];
  return [{ text: `${'#'.repeat(depth)} `, styles: ['bold'] }, ...inlineSpans(tokens, layout, { styles })];
}

function wrapped(spans: readonly Span[], { columns, style }: Layout): string[] {
  return wrapSpans(spans, columns).map((line) => paint(line, style));
}

/** Code is never wrapped, since a broken line is another program. The fence shows where it ends. */
function codeLines(token: Tokens.Code, { style }: Layout): string[] {
  const [first = '', ...lines] = token.raw.replace(/\n$/, '').split('\n');
  const fence = fenceOf(first);
  if (!fence)
    return neutralise(token.text)
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`.trimEnd());
  const end = lines.findIndex(fence.closes);
  const inside = end === -1 ? lines : lines.slice(0, end);
  return [
    codeStart(fence, style),
    ...inside.map((line) => neutralise(fence.unindent(line))),
    codeEnd(fence, style),
  ];
}

export function codeStart({ mark, info }: Fence, style: Styler): string {
  return style('dim', neutralise(`${mark}${info}`));
}

export function codeEnd({ mark }: Fence, style: Styler): string {
  return style('dim', mark);
}

function prefixed(lines: readonly string[], prefix: string): string[] {
  return lines.map((line) => `${prefix}${line}`.trimEnd());
}

function narrower(layout: Layout, by: number): Layout {
  return { ...layout, columns: Math.max(10, layout.columns - by) };
}
