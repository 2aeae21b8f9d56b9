/** The text of a chapter in XHTML as Markdown: headings, paragraphs, lists, rows of tables and code. */

import { escapedLine, fenced, innerHeading } from './problem.ts';
import { attributeOf, scanXml, type XmlPiece } from './scan-xml.ts';

export function xhtmlText(xml: string): string {
  const writer = new TextWriter();
  let hidden: string | undefined;
  // A declaration with entities ends in text.
  let isBegun = false;
  for (const piece of scanXml(xml)) {
    isBegun ||= piece.kind === 'open';
    if (!isBegun) continue;
    if (hidden !== undefined) {
      if (piece.kind === 'close' && localName(piece.name) === hidden) hidden = undefined;
    } else if (piece.kind === 'text') writer.add(piece.text);
    else if (piece.kind === 'open' && !piece.isEmpty && HIDDEN.has(localName(piece.name)))
      hidden = localName(piece.name);
    else writer.tag(piece);
  }
  return writer.end();
}

/** Elements whose text nobody reads. */
const HIDDEN = new Set(['head', 'script', 'style', 'svg', 'math', 'template', 'audio', 'video', 'object']);

const BLOCKS = new Set(
  `address article aside blockquote body caption center dd div dl dt fieldset figcaption figure footer form header hr li
  main nav ol p section table tbody td tfoot th thead tr ul`.split(/\s+/),
);

/** Blocks that are lines below each other. */
const ROWS = new Set(['dd', 'dt', 'li', 'tr']);

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

class TextWriter {
  readonly #pieces: string[] = [];
  #line: string[] = [];
  #mark = '';
  #level: number | undefined;
  #code: string[] | undefined;
  #between = '\n\n';

  add(text: string): void {
    (this.#code ?? this.#line).push(text);
  }

  tag({ kind, name, tag, isEmpty }: Exclude<XmlPiece, { kind: 'text' }>): void {
    const element = localName(name);
    const isOpen = kind === 'open';
    const level = /^h([1-6])$/.exec(element)?.[1];
    if (element === 'br') this.#break();
    else if (element === 'img') this.add(attributeOf(tag, 'alt') ?? '');
    else if (element === 'pre') this.#pre(isOpen && !isEmpty);
    else if (this.#code) return;
    else if (level !== undefined) this.#heading(isOpen && !isEmpty ? Number(level) : undefined);
    else if ((element === 'td' || element === 'th') && isOpen) this.#cell();
    else if (element !== 'td' && element !== 'th' && BLOCKS.has(element)) this.#block(element, isOpen);
  }

  end(): string {
    this.#pre(false);
    this.#close();
    return this.#pieces.join('').trim();
  }

  #break(): void {
    if (this.#code) this.#code.push('\n');
    else if (this.#level === undefined) this.#close('\n');
    else this.add(' ');
  }

  #block(element: string, isOpen: boolean): void {
    this.#close(ROWS.has(element) ? '\n' : '\n\n');
    if (element === 'li') this.#mark = isOpen ? '- ' : '';
  }

  #cell(): void {
    if (this.#line.some((text) => text.trim() !== '')) this.add(' | ');
  }

  #heading(level: number | undefined): void {
    this.#close();
    this.#level = level;
  }

  #pre(isOpen: boolean): void {
    if (isOpen) this.#close();
    if (isOpen) this.#code ??= [];
    else if (this.#code) {
      const code = this.#code.join('').replace(/^\n+/, '').trimEnd();
      this.#code = undefined;
      if (code !== '') this.#write(fenced(code), '\n\n');
    }
  }

  /** Ends the line; `between` is what stands before the next one. */
  #close(between = '\n\n'): void {
    const text = this.#line.join('').replace(/\s+/g, ' ').trim();
    this.#line = [];
    if (text !== '') {
      const isHeading = this.#level !== undefined;
      const line = isHeading ? innerHeading(this.#level ?? 1, text) : escapedLine(text);
      this.#write(this.#mark + line, between);
      if (isHeading) this.#between = '\n\n';
      this.#mark = '';
    } else if (between === '\n\n' && this.#mark === '') this.#between = between;
  }

  #write(text: string, between: string): void {
    this.#pieces.push(this.#pieces.length === 0 ? '' : this.#between, text);
    this.#between = between;
  }
}
