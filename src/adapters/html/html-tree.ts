export interface HtmlElement {
  /** Lower case; `#root` for the root. */
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

/** Removes soft hyphens and zero-width spaces, which would break words in a search. */
export function visibleText(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '');
}
