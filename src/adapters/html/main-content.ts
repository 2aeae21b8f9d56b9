/** The part of a page that people came for. */

import { attribute, descendants, elementsOf, type HtmlElement } from './html-tree.ts';
import { type Measures, measure } from './measures.ts';

/** Of a page without its noise. A mark-up of its own (`main`, `article`) is believed when it holds enough to read. */
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

/** The one element of its kind that has at least this share of the prose; several, such as posts, stay together. */
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

/** Descends as long as one child holds nearly all there is to read, so that at most a tenth is ever left out. */
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

/** The cells of a table that lays out a page: they have blocks of their own. */
function pageCells(table: HtmlElement): HtmlElement[] {
  return [...descendants(table)].filter(
    (cell) => cell.name === 'td' && elementsOf(cell).some(({ name }) => PAGE_BLOCKS.has(name)),
  );
}

const PAGE_BLOCKS = new Set('article div h1 h2 h3 main section table'.split(' '));
const CONTAINERS = new Set('#root article body center div form html main section td'.split(' '));
