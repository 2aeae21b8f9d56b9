/** Finds the main content of a page, and measures the text in each part. */

import { attribute, descendants, elementsOf, type HtmlElement, isElement } from './html-tree.ts';

/** Trusts `main` and `article` when they hold enough text. */
export function mainContent(page: HtmlElement): HtmlElement {
  const measures = measure(page);
  const main = soleHolder(page, isMain, { measures, least: 0.25 });
  const within = main ?? page;
  const article = soleHolder(within, ({ name }) => name === 'article', { measures, least: 0.6 });
  if (article) return article;
  const body = soleHolder(within, isBody, { measures, least: 0.6 });
  return body ?? (main ? main : narrowed(page, measures));
}

function isMain(element: HtmlElement): boolean {
  return element.name === 'main' || attribute(element, 'role') === 'main';
}

function isBody(element: HtmlElement): boolean {
  return attribute(element, 'itemprop').split(' ').includes('articleBody');
}

/** Finds the element of a kind that has at least this share of the prose; none where several share it, such as posts. */
function soleHolder(
  within: HtmlElement,
  fits: (element: HtmlElement) => boolean,
  { measures, least }: { measures: Measures; least: number },
): HtmlElement | undefined {
  const wanted = measures.of(within).prose * least;
  const holders = [...descendants(within)].filter(
    (element) => fits(element) && measures.of(element).prose > 0,
  );
  return holders.find((element) => measures.of(element).prose >= wanted);
}

/** Descends while one child holds at least nine tenths of the prose of the page. */
function narrowed(page: HtmlElement, measures: Measures): HtmlElement {
  const least = Math.max(1, measures.of(page).prose * 0.9);
  let current = page;
  for (;;) {
    const next = elementsOf(current)
      .flatMap((child) => (child.name === 'table' ? pageCells(child) : [child]))
      .find((child) => CONTAINERS.has(child.name) && measures.of(child).prose >= least);
    if (!next) return current;
    current = next;
  }
}

/** Cells of a table that lays out a page: those with blocks inside. */
function pageCells(table: HtmlElement): HtmlElement[] {
  return [...descendants(table)].filter(
    (cell) => cell.name === 'td' && elementsOf(cell).some(({ name }) => PAGE_BLOCKS.has(name)),
  );
}

const PAGE_BLOCKS = new Set('article div h1 h2 h3 main section table'.split(' '));
const CONTAINERS = new Set('#root article body center div form html main section td'.split(' '));

export interface Measure {
  /** Characters of text outside links. */
  readonly prose: number;
  readonly links: number;
}

export interface Measures {
  of(element: HtmlElement): Measure;
}

/** Measures every element in one pass. */
export function measure(root: HtmlElement): Measures {
  const known = new Map<HtmlElement, Measure>();
  const visit = (element: HtmlElement): Measure => {
    let prose = 0;
    let links = 0;
    for (const child of element.children) {
      if (!isElement(child)) prose += child.trim().length;
      else if (!SILENT.has(child.name)) {
        const inside = visit(child);
        prose += inside.prose;
        links += inside.links;
      }
    }
    const measured = element.name === 'a' ? { prose: 0, links: prose + links } : { prose, links };
    known.set(element, measured);
    return measured;
  };
  visit(root);
  return { of: (element) => known.get(element) ?? { prose: 0, links: 0 } };
}

const SILENT = new Set('button head noscript option script select style svg template'.split(' '));
