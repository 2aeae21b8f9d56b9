export interface Block {
  readonly endsAtBlank: boolean;
  /** Whether this line, which is not blank, certainly begins another block. */
  endsBefore(line: string, afterBlank: boolean): boolean;
  with(line: string): Block;
}

/** `line` is neither blank nor a fence. */
export function blockOf(line: string): Block {
  if (indentOf(line) >= 4) return INDENTED_CODE;
  if (HTML.test(line)) return html(line);
  return MARKER.test(line) ? firstOfItem(line) : PARAGRAPH;
}

export interface Fence {
  readonly mark: string;
  readonly info: string;
  closes(line: string): boolean;
  unindent(line: string): string;
}

export function fenceOf(line: string): Fence | undefined {
  const [, indent = '', mark = '', info = ''] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
  if (mark === '') return undefined;
  const close = new RegExp(`^ {0,3}${mark}[~\`]* *$`);
  return {
    mark,
    info: info.trim(),
    closes: (text) => close.test(text),
    unindent: (text) => (text.startsWith(indent) ? text.slice(indent.length) : text),
  };
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

export function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);
}

export function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})$/.test(line);
}

/** Also for quotes and tables: all of them end at a blank line. */
const PARAGRAPH: Block = {
  endsAtBlank: true,
  endsBefore: (line) => fenceOf(line) !== undefined || isHeading(line) || interruptsAsList(line),
  with: (line) => (HTML.test(line) ? html(line) : PARAGRAPH),
};

const INDENTED_CODE: Block = {
  endsAtBlank: false,
  endsBefore: (line) => indentOf(line) < 4,
  with: () => INDENTED_CODE,
};

/** Inside HTML, Markdown has no meaning. */
const HTML_TO_BLANK: Block = { endsAtBlank: true, endsBefore: () => false, with: () => HTML_TO_BLANK };

function html(line: string): Block {
  const end = RAW_HTML.find(({ start }) => start.test(line))?.end;
  return end && !end.test(line) ? htmlTo(end) : HTML_TO_BLANK;
}

function htmlTo(end: RegExp): Block {
  const block: Block = {
    endsAtBlank: false,
    endsBefore: () => false,
    with: (line) => (end.test(line) ? HTML_TO_BLANK : block),
  };
  return block;
}

const HTML = /^ {0,3}<[a-z/!?]/i;
const RAW_HTML = [
  { start: /^ {0,3}<(?:script|pre|style|textarea)(?:\s|>|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^ {0,3}<!--/, end: /-->/ },
  { start: /^ {0,3}<\?/, end: /\?>/ },
  { start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
  { start: /^ {0,3}<![a-z]/i, end: />/ },
];

interface Item {
  readonly indent: number;
  readonly fence: Fence | undefined;
  /** Lines that may or may not belong to it: only a blank line certainly ends it. */
  readonly isMixed: boolean;
}

function listItem(item: Item): Block {
  return {
    endsAtBlank: false,
    endsBefore(line, afterBlank) {
      const indent = indentOf(line);
      if (indent >= item.indent) return false;
      if (afterBlank || fenceOf(line) || isHeading(line)) return true;
      return !item.isMixed && MARKER.test(line) && indent <= Math.min(3, item.indent - 1);
    },
    with(line) {
      if (indentOf(line) < item.indent) {
        return HTML.test(line) ? html(line) : listItem({ ...item, fence: undefined, isMixed: true });
      }
      const inner = line.trimStart();
      if (!item.fence) return listItem({ ...item, fence: fenceOf(inner) });
      return item.fence.closes(inner) ? listItem({ ...item, fence: undefined }) : this;
    },
  };
}

function firstOfItem(line: string): Block {
  const marker = MARKER.exec(line)?.[0].length ?? 0;
  const spaces = line.slice(marker).replaceAll('\t', '   ').search(/[^ ]/);
  const indent = marker + (spaces < 1 || spaces > 4 ? 1 : spaces);
  return listItem({ indent, fence: fenceOf(line.slice(indent)), isMixed: false });
}

const MARKER = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$)/;

function interruptsAsList(line: string): boolean {
  return /^ {0,3}(?:[*+-]|1[.)]) +[^ ]/.test(line) && !isRule(line);
}

function indentOf(line: string): number {
  return line.replaceAll('\t', '    ').search(/[^ ]|$/);
}
