import { renderCodeBlock, renderListing } from './code-blocks.ts';
import { escapeHeadingEnd, escapeLineStart } from './escape-markdown.ts';
import { attribute, elementsOf, type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';
import { renderDefinitions, renderList } from './lists.ts';
import { type InlineContext, renderInline, renderLine } from './render-inline.ts';
import { renderTable } from './tables.ts';

export interface BlockContext extends InlineContext {
  /** The elements around, nearest first; a highlighter's wrapper names the language of the code in it. */
  readonly around?: readonly HtmlElement[];
  readonly indents?: number;
}

/** Deeper lists and quotations are not indented: each level repeats its indentation on every line inside. */
const MAX_INDENTS = 12;

/** The Markdown blocks of these nodes, each without blank lines around it. */
export function renderBlocks(nodes: readonly HtmlNode[], context: BlockContext): string[] {
  const parts: string[][] = [];
  let run: HtmlNode[] = [];
  const endRun = () => {
    parts.push(paragraphs(renderInline(run, context)));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node)) run.push(node);
    else {
      endRun();
      parts.push(renderBlock(node, context));
    }
  }
  endRun();
  return parts.flat();
}

/** Splits at two line breaks or more; a single line break stays one. */
function paragraphs(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim().split('\n').map(escapeLineStart).join('\\\n'))
    .filter((paragraph) => paragraph !== '');
}

function renderBlock(element: HtmlElement, context: BlockContext): string[] {
  const level = headingLevel(element);
  if (level !== undefined) {
    const text = renderLine(element.children, { ...context, isStrong: true });
    return text === '' ? [] : [`${'#'.repeat(level)} ${escapeHeadingEnd(text)}`];
  }
  const render = RENDERERS.get(element.name);
  if (render) return render(element, context);
  return renderBlocks(element.children, {
    ...context,
    around: [element, ...(context.around ?? [])].slice(0, 3),
  });
}

function headingLevel(element: HtmlElement): number | undefined {
  const [, digit] = /^h([1-6])$/.exec(element.name) ?? [];
  if (digit) return Number(digit);
  if (attribute(element, 'role') !== 'heading') return undefined;
  return Math.min(6, Math.max(1, Number.parseInt(attribute(element, 'aria-level'), 10) || 2));
}

type Renderer = (element: HtmlElement, context: BlockContext) => string[];

const quote: Renderer = (element, context) => {
  const blocks = renderBlocks(element.children, indented(context));
  if (blocks.length === 0 || isTooDeep(context)) return blocks;
  const inside = blocks.join('\n\n');
  return [inside.replace(/^/gm, '> ').replace(/^> $/gm, '>')];
};

const list: Renderer = (element, context) =>
  isTooDeep(context)
    ? renderBlocks(element.children, context)
    : renderList(element, (nodes) => renderBlocks(nodes, indented(context)));

const definitions: Renderer = (element, context) =>
  isTooDeep(context)
    ? renderBlocks(element.children, context)
    : renderDefinitions(element, {
        line: (nodes) => renderLine(nodes, { ...context, isStrong: true }),
        blocks: (nodes) => renderBlocks(nodes, indented(context)),
      });

function indented(context: BlockContext): BlockContext {
  return { ...context, indents: (context.indents ?? 0) + 1 };
}

function isTooDeep({ indents = 0 }: BlockContext): boolean {
  return indents >= MAX_INDENTS;
}

/** The content of a table that lays out the page is rendered without the table. */
const table: Renderer = (element, context) => {
  const listing = renderListing(element);
  if (listing !== undefined) return [listing];
  return renderTable(element, context) ?? renderBlocks(element.children, context);
};

const summary: Renderer = (element, context) => {
  const text = renderLine(element.children, { ...context, isStrong: true });
  return text === '' ? [] : [`**${text}**`];
};

/** Puts the link of a card on its first words; the rest stays plain. */
const linkedBlocks: Renderer = (element, context) => {
  const { node, didWrap } = linkFirstText(element, element);
  return renderBlocks(didWrap && isElement(node) ? node.children : element.children, context);
};

function linkFirstText(parent: HtmlElement, link: HtmlElement): { node: HtmlNode; didWrap: boolean } {
  const children = [...parent.children];
  for (const [at, child] of children.entries()) {
    if (!isElement(child) || !isBlock(child)) continue;
    const isLeaf = !elementsOf(child).some(isBlock);
    const wrapped: HtmlElement = { ...child, children: [{ ...link, children: child.children }] };
    const result = isLeaf ? { node: wrapped, didWrap: true } : linkFirstText(child, link);
    if (!result.didWrap) continue;
    children[at] = result.node;
    return { node: { ...parent, children }, didWrap: true };
  }
  return { node: parent, didWrap: false };
}

const code: Renderer = (element, { around }) => renderCodeBlock(element, around);

const RENDERERS = new Map<string, Renderer>([
  ['a', linkedBlocks],
  ['blockquote', quote],
  ['dir', list],
  ['dl', definitions],
  ['hr', () => ['---']],
  ['listing', code],
  ['menu', list],
  ['ol', list],
  ['pre', code],
  ['summary', summary],
  ['table', table],
  ['ul', list],
  ['xmp', code],
]);

const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul xmp'.split(
    ' ',
  ),
);

/** Whether an element is a block, or an inline element with a block inside. */
function isBlock(element: HtmlElement): boolean {
  const known = blockness.get(element);
  if (known !== undefined) return known;
  const is =
    BLOCKS.has(element.name) ||
    attribute(element, 'role') === 'heading' ||
    (element.name !== 'code' && elementsOf(element).some(isBlock));
  blockness.set(element, is);
  return is;
}

const blockness = new WeakMap<HtmlElement, boolean>();
