import { attribute, findElement, type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';

type Render<Output> = (nodes: readonly HtmlNode[]) => Output;

/** Renders items with `- ` or `1. `; everything inside an item is indented to its marker. */
export function renderList(list: HtmlElement, blocks: Render<string[]>): string[] {
  const isOrdered = list.name === 'ol';
  const isReversed = list.attributes.has('reversed');
  const items = itemsOf(list);
  let number = Number.parseInt(attribute(list, 'start'), 10);
  if (Number.isNaN(number)) number = isReversed ? items.length : 1;
  const rendered: string[][] = [];
  for (const item of items) {
    const own = Number.parseInt(attribute(item, 'value'), 10);
    if (!Number.isNaN(own)) number = own;
    const content = blocks(item.children);
    const marker = isOrdered ? `${Math.max(0, number)}. ` : '- ';
    number += isReversed ? -1 : 1;
    if (content.length > 0) rendered.push([marker, checkbox(item) + content[0], ...content.slice(1)]);
  }
  return rendered.length === 0 ? [] : [joinItems(rendered)];
}

/** The items; a list directly inside a list belongs to the item before it. */
function itemsOf(list: HtmlElement): HtmlElement[] {
  const items: HtmlElement[] = [];
  for (const child of list.children) {
    if (isElement(child) && child.name === 'li') items.push({ ...child, children: [...child.children] });
    else if (isElement(child) && items.length > 0) items.at(-1)?.children.push(child);
    else if (isElement(child) || child.trim() !== '')
      items.push({ name: 'li', attributes: new Map(), children: [child] });
  }
  return items;
}

function checkbox(item: HtmlElement): string {
  const box = findElement(
    item,
    ({ name, attributes }) => name === 'input' && attributes.get('type') === 'checkbox',
  );
  if (!box || findElement(item, ({ name }) => name === 'li')) return '';
  return box.attributes.has('checked') ? '[x] ' : '[ ] ';
}

/** Joins items, each of which is its marker and then its blocks. */
function joinItems(items: readonly (readonly string[])[]): string {
  const isTight = items.every(([, , ...rest]) => rest.every((block) => /^(- |\d+\. )/.test(block)));
  return items
    .map(([marker = '', ...blocks]) => {
      const indent = ' '.repeat(marker.length);
      const text = blocks.join(isTight ? '\n' : '\n\n').replace(/\n(?=[^\n])/g, `\n${indent}`);
      return marker + text;
    })
    .join(isTight ? '\n' : '\n\n');
}

interface Definition {
  readonly terms: string[];
  readonly meaning: string[];
}

/** Renders terms in bold, each with its meaning behind or below it. */
export function renderDefinitions(
  list: HtmlElement,
  render: { readonly line: Render<string>; readonly blocks: Render<string[]> },
): string[] {
  const definitions: Definition[] = [];
  for (const node of partsOf(list)) {
    const last = definitions.at(-1);
    if (isElement(node) && node.name === 'dt') {
      const term = render.line(node.children).replace(/:$/, '');
      if (term === '') continue;
      if (last && last.meaning.length === 0) last.terms.push(term);
      else definitions.push({ terms: [term], meaning: [] });
      continue;
    }
    const meaning = render.blocks(isElement(node) && node.name === 'dd' ? node.children : [node]);
    if (last) for (const block of meaning) last.meaning.push(block);
    else if (meaning.length > 0) definitions.push({ terms: [], meaning });
  }
  return definitions.length === 0 ? [] : [joinItems(definitions.map(itemOf))];
}

/** The terms and meanings; a `div` may group them. */
function partsOf(list: HtmlElement): HtmlNode[] {
  return list.children.flatMap((child) =>
    isElement(child) && child.name === 'div' ? child.children : [child],
  );
}

function itemOf({ terms, meaning }: Definition): string[] {
  const head = terms.map((term) => `**${term}**`).join(', ');
  if (head === '') return ['- ', ...meaning];
  const [first = '', ...rest] = meaning;
  const isPhrase = first !== '' && !/^(```|\||- |\d+\. |> |#)/.test(first) && !first.includes('\n');
  return isPhrase ? ['- ', `${head}: ${first}`, ...rest] : ['- ', head, ...meaning];
}
