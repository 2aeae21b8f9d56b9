import { attribute, findElement, type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';

export type Render<Output> = (nodes: readonly HtmlNode[]) => Output;

/** `- ` or `1. `, with everything inside an item indented to its marker. */
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

/** A list inside a list, without an item of its own, belongs to the item before it. */
function itemsOf(list: HtmlElement): HtmlElement[] {
  const items: HtmlElement[] = [];
  for (const child of list.children) {
    if (isElement(child) && child.name === 'li') items.push({ ...child, children: [...child.children] });
    else if (isElement(child) && items.length > 0) items.at(-1)?.children.push(child);
    else if (isElement(child) || child.trim() !== '') items.push(anonymous([child]));
  }
  return items;
}

function anonymous(children: HtmlNode[]): HtmlElement {
  return { name: 'li', attributes: new Map(), children };
}

function checkbox(item: HtmlElement): string {
  const box = findElement(
    item,
    ({ name, attributes }) => name === 'input' && attributes.get('type') === 'checkbox',
  );
  if (!box || findElement(item, ({ name }) => name === 'li')) return '';
  return box.attributes.has('checked') ? '[x] ' : '[ ] ';
}

/** Each item is its marker, then its blocks. */
export function joinItems(items: readonly (readonly string[])[]): string {
  const isTight = items.every(([, , ...rest]) => rest.every((block) => /^(- |\d+\. )/.test(block)));
  return items
    .map(([marker = '', ...blocks]) => {
      const indent = ' '.repeat(marker.length);
      const text = blocks.join(isTight ? '\n' : '\n\n').replace(/\n(?=[^\n])/g, `\n${indent}`);
      return marker + text;
    })
    .join(isTight ? '\n' : '\n\n');
}
