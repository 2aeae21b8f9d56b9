import { type DefaultTreeAdapterMap, Parser } from 'parse5';
import type { HtmlElement } from './html-tree.ts';

/** Tags of deeper elements are ignored; their text stays. Browsers have such a limit too. */
const MAX_DEPTH = 128;

/**
 * Limits how many formatting elements (`<b>`, `<font>`) are reopened after a block closed them. Without a limit, one
 * megabyte of tags can stand for a thousand million elements.
 */
const MAX_REOPENED = 100_000;

/** Accepts any text, within limits for hostile pages. Leaves out comments and templates. */
export function parseHtml(text: string): HtmlElement {
  return simplified(LimitedParser.parse<DefaultTreeAdapterMap>(text));
}

class LimitedParser extends Parser<DefaultTreeAdapterMap> {
  private reopened = 0;

  override _reconstructActiveFormattingElements(): void {
    if (this.reopened > MAX_REOPENED) return;
    const before = this.openElements.depth;
    super._reconstructActiveFormattingElements();
    this.reopened += this.openElements.depth - before;
  }
}

interface Waiting {
  readonly node: DefaultTreeAdapterMap['childNode'];
  readonly parent: HtmlElement;
  readonly depth: number;
}

/** Iterative, since a recursion could overflow the stack. */
function simplified({ childNodes }: DefaultTreeAdapterMap['document']): HtmlElement {
  const root: HtmlElement = { name: '#root', attributes: new Map(), children: [] };
  const waiting: Waiting[] = [];
  const wait = (nodes: typeof childNodes, parent: HtmlElement, depth: number) => {
    for (const node of nodes.toReversed()) waiting.push({ node, parent, depth });
  };
  wait(childNodes, root, 0);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, parent, depth } = next;
    if ('value' in node) addText(parent, node.value);
    else if ('tagName' in node) wait(node.childNodes, addElement(node, parent, depth), depth + 1);
  }
  return root;
}

/** Returns the parent when the element is too deep to be added. */
function addElement(node: DefaultTreeAdapterMap['element'], parent: HtmlElement, depth: number): HtmlElement {
  // An element without others inside stays, so that the text of a script does not become the text of the page.
  if (depth >= MAX_DEPTH && node.childNodes.some((child) => 'tagName' in child)) return parent;
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
  const element = { name: node.tagName.toLowerCase(), attributes, children: [] };
  parent.children.push(element);
  return element;
}

function addText({ children }: HtmlElement, text: string): void {
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}
