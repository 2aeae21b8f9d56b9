import { codeLanguage } from './code-language.ts';
import { backticksAround } from './escape-markdown.ts';
import {
  descendants,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  namesOf,
} from './html-tree.ts';

/** A fence, with the language where the page tells it. */
export function renderCodeBlock(pre: HtmlElement, around: readonly HtmlElement[] = []): string[] {
  const text = codeText(pre)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (text === '') return [];
  const fence = backticksAround(text, 3);
  return [`${fence}${codeLanguage(pre, around)}\n${text}\n${fence}`];
}

/** Text as it stands, but for line numbers and what a book hides; a highlighter's element for a line is a line. */
function codeText(node: HtmlNode): string {
  const pieces: string[] = [];
  const isLineOpen = () => pieces.length > 0 && !pieces.at(-1)?.endsWith('\n');
  const add = (text: string) => {
    if (text !== '') pieces.push(text);
  };
  const visit = (one: HtmlNode) => {
    if (!isElement(one)) return add(one);
    if (one.name === 'br') return add('\n');
    if (one !== node && one.name !== 'code' && isGutter(one)) return;
    const isLine = LINES.has(one.name);
    if (isLine && isLineOpen()) add('\n');
    one.children.forEach(visit);
    if (isLine && isLineOpen()) add('\n');
  };
  visit(node);
  return pieces.join('');
}

const LINES = new Set(['div', 'li', 'p', 'tr']);

function isGutter(element: HtmlElement): boolean {
  return element.attributes.has('data-line-number') || namesOf(element).some((name) => GUTTER.test(name));
}

const GUTTER = /^(boring|line-?nos?|line-?numbers?(-rows)?|gutter|linenodiv|blob-num|hljs-ln-numbers|ln)$/;

/** A table that only puts line numbers beside code; `undefined` for any other. */
export function renderListing(table: HtmlElement): string | undefined {
  const cells = [...descendants(table)].filter(({ name }) => name === 'td');
  const code = cells.filter((cell) => !isGutter(cell));
  if (code.length === cells.length || code.length === 0) return undefined;
  const [only] = code;
  const pre = code.length === 1 && only ? findElement(only, ({ name }) => name === 'pre') : undefined;
  const lines: HtmlElement = { name: 'pre', attributes: table.attributes, children: code.map(asLine) };
  return renderCodeBlock(pre ?? lines, [table, ...code])[0];
}

function asLine(cell: HtmlElement): HtmlElement {
  return { ...cell, name: 'div' };
}
