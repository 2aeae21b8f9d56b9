/** What is left of a page once its markup was read: elements and text. */

export interface HtmlElement {
  /** In lower case. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: HtmlNode[];
}

export type HtmlNode = HtmlElement | string;

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string';
}

export function elementsOf(parent: HtmlElement): HtmlElement[] {
  return parent.children.filter(isElement);
}

export function attribute(element: HtmlElement, name: string): string {
  return element.attributes.get(name) ?? '';
}

/** The words of `class` and `id`, in lower case. */
export function namesOf(element: HtmlElement): string[] {
  return `${attribute(element, 'class')} ${attribute(element, 'id')}`
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);
}

/** Every element below, outermost first, in order. */
export function* descendants(parent: HtmlElement): Generator<HtmlElement> {
  const waiting = elementsOf(parent).reverse();
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    for (const child of elementsOf(element).reverse()) waiting.push(child);
  }
}

export function findElement(
  parent: HtmlElement,
  fits: (element: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const element of descendants(parent)) if (fits(element)) return element;
  return undefined;
}

/** All text below, as it stands. */
export function textOf(node: HtmlNode): string {
  const texts: string[] = [];
  const collect = (one: HtmlNode) => {
    if (isElement(one)) one.children.forEach(collect);
    else texts.push(one);
  };
  collect(node);
  return texts.join('');
}

/** Text as a reader sees it: runs of space are one. */
export function plainText(node: HtmlNode): string {
  return visibleText(textOf(node)).replace(/\s+/g, ' ').trim();
}

/** Soft hyphens and zero-width spaces only tell where a line may break; they would break words in a search. */
export function visibleText(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '');
}
