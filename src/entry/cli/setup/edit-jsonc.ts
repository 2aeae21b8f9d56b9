/**
 * Sets and removes one member of an object, or one item of a list in it, in JSON with comments, and keeps every other
 * byte. The package only parses: its `modify` moves a comment behind the value it adds and drops one on removal.
 */

import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { Fault } from '../../../base/fault.ts';
import type { Json } from '../../../base/json.ts';
import { sameValue, withValueAt } from '../../../config/tree.ts';

/** Name of the object in the file, and of the member in the object. */
export type MemberPath = readonly [object: string, name: string];

/** Creates a text when `text` is absent or blank. */
export function setInJsonc(text: string | undefined, path: MemberPath, value: Json): string {
  const [object, name] = path;
  if (text === undefined || text.trim() === '')
    return `${JSON.stringify({ [object]: { [name]: value } }, null, 2)}\n`;
  const root = requireObject(text, parsed(text), 'The file');
  const style = styleOf(text, root);
  const parent = memberOf(root, object);
  if (!parent) return checked(inserted(text, root, object, { [name]: value }, style), path, value, text);
  const container = requireObject(text, parent.value, `"${object}"`);
  const old = memberOf(container, name);
  if (old && sameValue(getNodeValue(old.value), value)) return text;
  const edited = old
    ? `${text.slice(0, old.value.offset)}${written(value, indentAt(text, old.start), style)}${text.slice(endOf(old.value))}`
    : inserted(text, container, name, value, style);
  return checked(edited, path, value, text);
}

/** Adds an item at the end of the list that this member is; creates the list if there is none. */
export function appendInJsonc(text: string | undefined, path: MemberPath, item: Json): string {
  const list = text === undefined || text.trim() === '' ? undefined : nodeAt(parsed(text), path);
  if (text === undefined || list === undefined) return setInJsonc(text, path, [item]);
  if (list.type !== 'array') throw new Fault('config/invalid', `1: "${path.join('.')}" is not a list.`);
  const edited = inserted(text, list, undefined, item, styleOf(text, parsed(text)));
  return checked(edited, path, [...getNodeValue(list), item], text);
}

/** Removes the items that `isWanted` names, and the list with its last item. */
export function removeItemsInJsonc(
  text: string,
  path: MemberPath,
  isWanted: (item: Json) => boolean,
): string {
  const list = text.trim() === '' ? undefined : nodeAt(parsed(text), path);
  const items: Json[] = list?.type === 'array' ? getNodeValue(list) : [];
  const at = items.findLastIndex(isWanted);
  if (list === undefined || at === -1) return text;
  if (items.length === 1) return removeInJsonc(text, path);
  const rest = items.toSpliced(at, 1);
  const edited = taken(text, list.children ?? [], at, (candidate) => says(candidate, path, rest, text));
  return removeItemsInJsonc(checked(edited, path, rest, text), path, isWanted);
}

function nodeAt(root: Node, [object, name]: MemberPath): Node | undefined {
  const parent = memberOf(root, object);
  return parent && memberOf(parent.value, name)?.value;
}

/** Returns the same text when there is no such member. */
export function removeInJsonc(text: string, path: MemberPath): string {
  const parent = memberOf(parsed(text), path[0]);
  const at = parent ? membersOf(parent.value).findLastIndex(({ key }) => key === path[1]) : -1;
  if (!parent || at === -1) return text;
  const edited = taken(text, parent.value.children ?? [], at, (candidate) =>
    says(candidate, path, undefined, text),
  );
  return checked(edited, path, undefined, text);
}

/** Without the part at this place, with its line if `isRight` accepts that. */
function taken(
  text: string,
  parts: readonly Node[],
  at: number,
  isRight: (candidate: string) => boolean,
): string {
  const part = parts[at];
  if (!part) return text;
  const before = parts[at - 1];
  const isLast = at === parts.length - 1;
  const comma = commaAfter(text, endOf(part));
  const end = comma === undefined ? endOf(part) : comma + 1;
  const oldComma = isLast && before ? commaAfter(text, endOf(before)) : undefined;
  const without = (start: number) => {
    const head = text.slice(0, start);
    const rest = oldComma === undefined ? head : `${head.slice(0, oldComma)}${head.slice(oldComma + 1)}`;
    return `${rest}${text.slice(end)}`;
  };
  const withItsLine = without(beforeSpace(text, part.offset));
  // A comment that ends with the line before would run on.
  return isRight(withItsLine) ? withItsLine : without(part.offset);
}

/** Returns undefined when there is no such member. */
export function valueInJsonc(text: string, [object, name]: MemberPath): Json | undefined {
  const parent = memberOf(parsed(text), object);
  const member = parent && memberOf(parent.value, name);
  return member && getNodeValue(member.value);
}

/** Throws a Fault with line and column. */
export function parseJsonc(text: string): Json {
  return getNodeValue(parsed(text));
}

const MAX_DEPTH = 201;

function parsed(text: string): Node {
  // The package does not know the byte order mark; a space in its place keeps the offsets.
  const readable = text.replace(/^\uFEFF/, ' ');
  refuseDeepNesting(readable);
  const errors: ParseError[] = [];
  const root = parseTree(readable, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root && !first) return root;
  const names = errors.map(({ error }) => printParseErrorCode(error));
  // The error after a wrong symbol says what belongs there.
  const name = names.find((one) => one !== 'InvalidSymbol');
  throw faultAt(text, first?.offset ?? text.length, PROBLEMS[name ?? ''] ?? 'this cannot be read');
}

/** The package's parser is recursive, so that deep nesting would end in a stack overflow. */
function refuseDeepNesting(text: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let at = nextToken(scanner); at < text.length; at = nextToken(scanner)) {
    if (text[at] === '{' || text[at] === '[') depth += 1;
    if (text[at] === '}' || text[at] === ']') depth -= 1;
    if (depth > MAX_DEPTH) throw faultAt(text, at, 'this is nested too deeply');
  }
}

function nextToken(scanner: ReturnType<typeof createScanner>): number {
  scanner.scan();
  return scanner.getTokenOffset();
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CloseBraceExpected: '"," or "}" is expected',
  CloseBracketExpected: '"," or "]" is expected',
  ColonExpected: '":" is expected',
  CommaExpected: '"," is expected',
  EndOfFileExpected: 'there is more after the value',
  InvalidCharacter: 'this text has what JSON does not allow in one',
  InvalidEscapeCharacter: 'this text has what JSON does not allow in one',
  InvalidUnicode: 'this text has what JSON does not allow in one',
  PropertyNameExpected: 'a text in double quotes is expected',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfNumber: 'this number has no end',
  UnexpectedEndOfString: 'this text has no closing quote',
  ValueExpected: 'a value is expected',
};

function faultAt(text: string, at: number, what: string): Fault {
  const before = text.slice(0, at).split('\n');
  return new Fault('config/invalid', `${before.length}:${(before.at(-1) ?? '').length + 1}: ${what}.`);
}

interface Member {
  readonly key: string;
  /** Offset of the key's quote. */
  readonly start: number;
  readonly value: Node;
}

/** In order; empty for any other value. */
function membersOf({ type, children = [] }: Node): Member[] {
  if (type !== 'object') return [];
  return children.flatMap(({ offset, children: [key, value] = [] }) =>
    key && value ? [{ key: String(key.value), start: offset, value }] : [],
  );
}

/** The last of several members with one name counts, as in JSON. */
function memberOf(object: Node, name: string): Member | undefined {
  return membersOf(object).findLast(({ key }) => key === name);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

interface Style {
  readonly lineEnd: string;
  readonly indent: string;
}

function styleOf(text: string, root: Node): Style {
  const [first] = membersOf(root);
  const indent = first ? indentAt(text, first.start) : '';
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', indent: indent || '  ' };
}

/** The space at the start of the line that holds this offset. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function written(value: Json, indent: string, { lineEnd, indent: step }: Style): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `${lineEnd}${indent}`);
}

/** Formats the part like those before it: a member, or an item of a list without a name. */
function inserted(text: string, parent: Node, name: string | undefined, value: Json, style: Style): string {
  const { offset: start, children = [] } = parent;
  const end = endOf(parent);
  const put = (at: number, what: string, from = text) => `${from.slice(0, at)}${what}${from.slice(at)}`;
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const last = children.at(-1);
  const comma = last && commaAfter(text, endOf(last));
  const isOnOneLine = !text.slice(start, end).includes('\n');
  if (last && isOnOneLine) {
    const one = `${key}${JSON.stringify(value)}`;
    return comma === undefined ? put(endOf(last), `, ${one}`) : put(comma + 1, ` ${one}`);
  }
  const outer = indentAt(text, start);
  const indent = last ? indentAt(text, last.offset) : `${outer}${style.indent}`;
  const line = `${style.lineEnd}${indent}${key}${written(value, indent, style)}`;
  if (!last) {
    const inner = text.slice(start + 1, end - 1);
    const at = start + 1 + inner.trimEnd().length;
    const isClosedBelow = text.slice(at, end).includes('\n');
    return put(at, isClosedBelow ? line : `${line}${style.lineEnd}${outer}`);
  }
  if (comma !== undefined) return put(endOfLine(text, comma + 1), line);
  return put(endOf(last), ',', put(endOfLine(text, endOf(last)), line));
}

/** End of the line when only comments follow on it; otherwise the offset itself. */
function endOfLine(text: string, at: number): number {
  const rest = /[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*)*)(?=\r?\n)/y;
  rest.lastIndex = at;
  return at + (rest.exec(text)?.[0].length ?? 0);
}

/** Skips space and comments. */
function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  const next = nextToken(scanner);
  return text[next] === ',' ? next : undefined;
}

/** Skips back over a line break and space. */
function beforeSpace(text: string, at: number): number {
  const before = text.slice(0, at).replace(/[ \t]*$/, '');
  return before.replace(/\r?\n$/, '').length;
}

function requireObject(text: string, node: Node, what: string): Node {
  if (node.type === 'object') return node;
  const line = text.slice(0, node.offset).split('\n').length;
  throw new Fault('config/invalid', `${line}: ${what} is not an object.`);
}

/** Refuses an edit whose result is not exactly what was meant. */
function checked(edited: string, path: MemberPath, value: Json | undefined, before: string): string {
  if (says(edited, path, value, before)) return edited;
  throw new Fault(
    'config/invalid',
    `"${path.join('.')}" cannot be edited here without changing more of the file.`,
    { hint: 'Edit the file by hand.' },
  );
}

function says(edited: string, path: MemberPath, value: Json | undefined, before: string): boolean {
  const wanted = withValueAt(parseJsonc(before), path, value);
  try {
    return sameValue(parseJsonc(edited), wanted);
  } catch {
    return false;
  }
}
