import type { HtmlElement, HtmlNode } from './html-tree.ts';
import {
  endedBy,
  HEAD_ELEMENTS,
  HEADINGS,
  SCOPES,
  TABLE_CONTENT,
  TABLE_FRAMES,
  TABLE_PARTS,
  TABLE_SCOPES,
  VOID_ELEMENTS,
} from './nesting.ts';

/** Deeper elements are read as if their tags were not there; the text stays. Browsers have such a limit too. */
const MAX_DEPTH = 128;

interface OpenElement extends HtmlElement {
  readonly attributes: Map<string, string>;
}

/** Elements out of tags, in whatever order these come. */
export class TreeBuilder {
  readonly root: HtmlElement = emptyElement('#root');
  private readonly stack: HtmlElement[] = [this.root];
  /** Start tags beyond the depth limit, whose end tags must not end something else. */
  private readonly skipped = new Map<string, number>();
  private foreignDepth = 0;
  private next: OpenElement = emptyElement('');

  begin(name: string): void {
    this.next = emptyElement(name === 'image' ? 'img' : name);
  }

  /** The first of two equal names counts. */
  attribute(name: string, value: string): void {
    if (!this.next.attributes.has(name)) this.next.attributes.set(name, value);
  }

  open(isSelfClosing = false): void {
    const element = this.next;
    const { name } = element;
    if (this.isRepeatedFrame(name)) return;
    if (!this.isForeign()) this.endOthers(name);
    if (CELLS.has(name) && ROW_GROUPS.has(this.current().name)) this.push(this.append(emptyElement('tr')));
    this.append(element);
    const isEmpty = VOID_ELEMENTS.has(name) || (isSelfClosing && (this.isForeign() || FOREIGN.has(name)));
    if (isEmpty) return;
    if (this.stack.length > MAX_DEPTH) this.skipped.set(name, (this.skipped.get(name) ?? 0) + 1);
    else this.push(element);
  }

  close(name: string): void {
    const skipped = this.skipped.get(name) ?? 0;
    if (skipped > 0) {
      this.skipped.set(name, skipped - 1);
      return;
    }
    if (name === 'br') this.append(emptyElement(name));
    // What follows the body belongs to it all the same.
    if (name === 'body' || name === 'html' || VOID_ELEMENTS.has(name)) return;
    const boundaries = TABLE_PARTS.has(name) || name === 'table' ? TABLE_SCOPES : SCOPES;
    const fits = HEADINGS.has(name) ? HEADINGS : new Set([name]);
    this.popTo(
      (open) => fits.has(open),
      (open) => boundaries.has(open),
    );
  }

  text(text: string): void {
    if (this.current().name === 'head' && text.trim() !== '') this.pop();
    const { children, at } = this.place(text.trim() === '');
    const last = children[at - 1];
    if (typeof last === 'string') children[at - 1] = last + text;
    else children.splice(at, 0, text);
  }

  isForeign(): boolean {
    return this.foreignDepth > 0;
  }

  private current(): HtmlElement {
    return this.stack.at(-1) ?? this.root;
  }

  private append(element: HtmlElement): HtmlElement {
    const { children, at } = this.place(TABLE_CONTENT.has(element.name));
    children.splice(at, 0, element);
    return element;
  }

  /** Where the next node goes: into what is open, but before a table in which it has no place. */
  private place(mayBeInTable: boolean): { children: HtmlNode[]; at: number } {
    const { name, children } = this.current();
    if (mayBeInTable || !TABLE_FRAMES.has(name)) return { children, at: children.length };
    const table = this.stack.findLastIndex((open) => open.name === 'table');
    const parent = this.stack[table - 1];
    if (!parent) return { children, at: children.length };
    const isLast = parent.children.at(-1) === this.stack[table];
    return { children: parent.children, at: parent.children.length - (isLast ? 1 : 0) };
  }

  private push(element: HtmlElement): void {
    this.stack.push(element);
    if (FOREIGN.has(element.name)) this.foreignDepth += 1;
  }

  private pop(): void {
    if (this.stack.length > 1 && FOREIGN.has(this.stack.pop()?.name ?? '')) this.foreignDepth -= 1;
  }

  private endOthers(name: string): void {
    if (this.current().name === 'head' && !HEAD_ELEMENTS.has(name)) this.pop();
    if (HEADINGS.has(name) && HEADINGS.has(this.current().name)) this.pop();
    if (name === 'table' && TABLE_FRAMES.has(this.current().name)) this.close('table');
    const ending = endedBy(name);
    if (!ending) return;
    for (;;) {
      const didEnd = this.popTo(
        (open) => ending.ends.has(open),
        (open) => ending.boundaries.has(open),
      );
      if (!didEnd) return;
    }
  }

  /** Ends the innermost open element that fits, with all inside it, unless a boundary is met first. */
  private popTo(fits: (name: string) => boolean, isBoundary: (name: string) => boolean): boolean {
    for (let at = this.stack.length - 1; at > 0; at--) {
      const name = this.stack[at]?.name ?? '';
      if (fits(name)) {
        while (this.stack.length > at) this.pop();
        return true;
      }
      if (isBoundary(name)) return false;
    }
    return false;
  }

  /** A second `<html>` or `<body>` opens nothing. */
  private isRepeatedFrame(name: string): boolean {
    if (name !== 'html' && name !== 'head' && name !== 'body') return false;
    return this.stack.some((open) => open.name === name || open.name === 'body');
  }
}

function emptyElement(name: string): OpenElement {
  return { name, attributes: new Map(), children: [] };
}

const FOREIGN = new Set(['math', 'svg']);
const CELLS = new Set(['td', 'th']);
const ROW_GROUPS = new Set(['table', 'tbody', 'tfoot', 'thead']);
