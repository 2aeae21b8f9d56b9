import { backticksAround, escapeBrackets, escapeInline } from './escape-markdown.ts';
import {
  attribute,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  textOf,
  visibleText,
} from './html-tree.ts';
import { isPermalink, type Links } from './links.ts';

export interface InlineContext {
  readonly links: Links;
  readonly isInLink?: boolean;
  readonly isStrong?: boolean;
  readonly isEmphasised?: boolean;
}

/** Renders a run of inline nodes. Spaces are single, line breaks are `\n`, and both ends may have some. */
export function renderInline(nodes: readonly HtmlNode[], context: InlineContext): string {
  return joinNeighbours(nodes)
    .map((node) => (isElement(node) ? renderElement(node, context) : renderText(node)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n[ \n]*/g, (space) => (space.indexOf('\n') === space.lastIndexOf('\n') ? '\n' : '\n\n'));
}

/** Renders into one line, for headings, cells and labels. */
export function renderLine(nodes: readonly HtmlNode[], context: InlineContext): string {
  return renderInline(nodes, context).replace(/\s+/g, ' ').trim();
}

function renderText(text: string): string {
  return escapeInline(visibleText(text).replace(/\s+/g, ' '));
}

function renderElement(element: HtmlElement, context: InlineContext): string {
  const render = RENDERERS.get(element.name);
  if (render) return render(element, context);
  const inside = renderInline(element.children, context);
  return SEPARATED.has(element.name) ? ` ${inside} ` : inside;
}

/** Blocks inside a line: their words must not run into those beside them. */
const SEPARATED = new Set(
  'address article blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main ol p pre section summary table tbody td th thead tr ul'.split(
    ' ',
  ),
);

type Renderer = (element: HtmlElement, context: InlineContext) => string;

const strong: Renderer = ({ children }, context) =>
  context.isStrong
    ? renderInline(children, context)
    : wrap('**', renderInline(children, { ...context, isStrong: true }));

const emphasis: Renderer = ({ children }, context) =>
  context.isEmphasised
    ? renderInline(children, context)
    : wrap('*', renderInline(children, { ...context, isEmphasised: true }));

const struck: Renderer = ({ children }, context) => wrap('~~', renderInline(children, context));

const code: Renderer = (element) => {
  const text = visibleText(textOf(element)).replace(/\s+/g, ' ');
  if (text.trim() === '') return text;
  const marks = backticksAround(text, 1);
  const pad = /^`|`$/.test(text.trim()) ? ' ' : '';
  return outerSpace(text, (inner) => `${marks}${pad}${inner}${pad}${marks}`);
};

const link: Renderer = (element, context) => {
  const inside = renderInline(element.children, { ...context, isInLink: true });
  const label = inside.trim() === '' ? escapeInline(attribute(element, 'aria-label').trim()) : inside;
  const url = context.isInLink ? undefined : context.links.resolve(attribute(element, 'href'));
  if (!url && isPermalink(element)) return '';
  if (!url || label.trim() === '') return label;
  return outerSpace(label.replace(/\s+/g, ' '), (text) =>
    text.startsWith('![') ? `[${text}](${target(url)})` : `[${escapeBrackets(text)}](${target(url)})`,
  );
};

const image: Renderer = (element, { links }) => {
  const alt = attribute(element, 'alt').replace(/\s+/g, ' ').trim();
  const source = attribute(element, 'data-src') || attribute(element, 'src');
  const url = links.resolve(source);
  if (alt === '') return '';
  return url ? `![${escapeBrackets(escapeInline(alt))}](${target(url)})` : escapeInline(alt);
};

/** Renders raised digits as powers, unless they link to a footnote. */
const raised: Renderer = (element, context) => {
  const text = renderInline(element.children, { ...context, isInLink: true }).trim();
  if (text === '') return '';
  if (findElement(element, ({ name }) => name === 'a')) return /^\[.*\]$/.test(text) ? text : `[${text}]`;
  return /^[\p{L}\p{N}+\u2212-]{1,6}$/u.test(text) ? `^${text}` : text;
};

const formula: Renderer = (element) => {
  const source = findElement(element, ({ name }) => name === 'annotation');
  const text = (source ? textOf(source) : textOf(element)).replace(/\s+/g, ' ').trim();
  if (!source || text === '') return escapeInline(text);
  return attribute(element, 'display') === 'block' ? `$$${text}$$` : `$${text}$`;
};

/** Renders a formula in TeX; other scripts have been removed. */
const texScript: Renderer = (element) => {
  const marks = attribute(element, 'type').includes('mode=display') ? '$$' : '$';
  return `${marks}${textOf(element).trim()}${marks}`;
};

/** Renders a list within a line, with semicolons between its items. */
const items: Renderer = (element, context) => {
  const texts = element.children.map((item) => renderLine(isElement(item) ? item.children : [item], context));
  return ` ${texts.filter((text) => text !== '').join('; ')} `;
};

const RENDERERS = new Map<string, Renderer>([
  ['a', link],
  ['b', strong],
  ['br', () => '\n'],
  ['cite', emphasis],
  ['code', code],
  ['del', struck],
  ['dfn', emphasis],
  ['em', emphasis],
  ['hr', () => ' '],
  ['i', emphasis],
  ['img', image],
  ['kbd', code],
  ['math', formula],
  ['ol', items],
  ['pre', code],
  ['q', ({ children }, context) => `“${renderInline(children, context)}”`],
  ['rp', () => ''],
  ['rt', ({ children }, context) => `(${renderInline(children, context)})`],
  ['s', struck],
  ['samp', code],
  ['script', texScript],
  ['strike', struck],
  ['strong', strong],
  ['sup', raised],
  ['tt', code],
  ['ul', items],
  ['var', emphasis],
]);

function wrap(mark: string, text: string): string {
  return outerSpace(text, (inner) => `${mark}${inner}${mark}`);
}

function outerSpace(text: string, render: (inner: string) => string): string {
  const inner = text.trim();
  if (inner === '') return text;
  const start = text.indexOf(inner);
  return text.slice(0, start) + render(inner) + text.slice(start + inner.length);
}

function target(url: string): string {
  return /[()\s<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url;
}

/** Joins `<b>a</b><b>b</b>`, whose marks would cancel each other, and words around `<wbr>`: `snake_<wbr>case`. */
function joinNeighbours(nodes: readonly HtmlNode[]): HtmlNode[] {
  const joined: HtmlNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const mark = isElement(node) ? MARKS.get(node.name) : undefined;
    if (isElement(node) && node.name === 'wbr') continue;
    if (!isElement(node) && typeof last === 'string') joined[joined.length - 1] = last + node;
    else if (!isElement(node) || !mark) joined.push(node);
    else if (last && isElement(last) && MARKS.get(last.name) === mark) {
      for (const child of node.children) last.children.push(child);
    } else joined.push({ ...node, children: [...node.children] });
  }
  return joined;
}

const MARKS = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
  ['code', '`'],
]);
