import { type HtmlElement, isElement } from './html-tree.ts';

export interface Measure {
  /** Characters of text outside links. */
  readonly prose: number;
  /** Characters of text inside links. */
  readonly links: number;
}

export interface Measures {
  of(element: HtmlElement): Measure;
}

/** How much there is to read in every element, counted once for the whole tree. */
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

const SILENT = new Set([
  'button',
  'head',
  'noscript',
  'option',
  'script',
  'select',
  'style',
  'svg',
  'template',
]);
