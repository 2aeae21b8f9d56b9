/** Sets and removes one member of an object in JSON with comments, and leaves every other byte as it was. */

import { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { afterSpace, type JsoncMember, type JsoncNode, parseJsonc } from './parse-jsonc.ts';
import { sameValue, withValueAt } from './tree.ts';

/** Where a member stands: in the object of this name, under that name. */
export type MemberPath = readonly [object: string, name: string];

/** A text that is absent or blank becomes a new one. */
export function setInJsonc(text: string | undefined, path: MemberPath, value: JsonObject): string {
  const [object, name] = path;
  if (text === undefined || text.trim() === '')
    return `${JSON.stringify({ [object]: { [name]: value } }, null, 2)}\n`;
  const root = objectNode(text, parseJsonc(text), 'The file');
  const style = styleOf(text, root);
  const parent = lastMember(root, object);
  if (!parent) return checked(inserted(text, root, object, { [name]: value }, style), path, value, text);
  const container = objectNode(text, parent.node, `"${object}"`);
  const old = lastMember(container, name);
  if (old && sameValue(old.node.value, value)) return text;
  const edited = old
    ? `${text.slice(0, old.node.start)}${written(value, indentAt(text, old.start), style)}${text.slice(old.node.end)}`
    : inserted(text, container, name, value, style);
  return checked(edited, path, value, text);
}

/** The same text when there is no such member. */
export function removeInJsonc(text: string, path: MemberPath): string {
  const parent = lastMember(parseJsonc(text), path[0]);
  const members = parent?.node.members ?? [];
  const at = members.findLastIndex(({ key }) => key === path[1]);
  const member = members[at];
  if (!member) return text;
  const before = members[at - 1];
  const isLast = at === members.length - 1;
  const comma = commaAfter(text, member.node.end);
  const end = comma === undefined ? member.node.end : comma + 1;
  const oldComma = isLast && before ? commaAfter(text, before.node.end) : undefined;
  const without = (start: number) => {
    const head = text.slice(0, start);
    const rest = oldComma === undefined ? head : `${head.slice(0, oldComma)}${head.slice(oldComma + 1)}`;
    return `${rest}${text.slice(end)}`;
  };
  const withItsLine = without(beforeSpace(text, member.start));
  // A comment that ends with the line before would run on.
  return checked(
    says(withItsLine, path, undefined, text) ? withItsLine : without(member.start),
    path,
    undefined,
    text,
  );
}

/** The member's value; undefined when there is none. */
export function valueInJsonc(text: string, [object, name]: MemberPath): Json | undefined {
  const parent = lastMember(parseJsonc(text), object);
  return parent && lastMember(parent.node, name)?.node.value;
}

interface Style {
  readonly lineEnd: string;
  readonly indent: string;
}

function styleOf(text: string, root: JsoncNode): Style {
  const [first] = root.members ?? [];
  const indent = first ? indentAt(text, first.start) : '';
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', indent: indent || '  ' };
}

/** The space that the line of this place begins with. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function written(value: Json, indent: string, { lineEnd, indent: step }: Style): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `${lineEnd}${indent}`);
}

/** Behind everything else in the object, in the way the object is written. */
function inserted(
  text: string,
  { start, end, members = [] }: JsoncNode,
  name: string,
  value: Json,
  style: Style,
): string {
  const put = (at: number, what: string, from = text) => `${from.slice(0, at)}${what}${from.slice(at)}`;
  const key = JSON.stringify(name);
  const last = members.at(-1);
  const isOnOneLine = !text.slice(start, end).includes('\n');
  if (last && isOnOneLine) {
    const comma = commaAfter(text, last.node.end);
    const one = `${key}: ${JSON.stringify(value)}`;
    return comma === undefined ? put(last.node.end, `, ${one}`) : put(comma + 1, ` ${one}`);
  }
  const outer = indentAt(text, start);
  const indent = last ? indentAt(text, last.start) : `${outer}${style.indent}`;
  const line = `${style.lineEnd}${indent}${key}: ${written(value, indent, style)}`;
  if (!last) {
    const inner = text.slice(start + 1, end - 1);
    const at = start + 1 + inner.trimEnd().length;
    const isClosedBelow = text.slice(at, end).includes('\n');
    return put(at, isClosedBelow ? line : `${line}${style.lineEnd}${outer}`);
  }
  const comma = commaAfter(text, last.node.end);
  if (comma !== undefined) return put(endOfLine(text, comma + 1), line);
  return put(last.node.end, ',', put(endOfLine(text, last.node.end), line));
}

/** Past what only comments follow on the line; the place itself when something else does. */
function endOfLine(text: string, at: number): number {
  const rest = /[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*)*)(?=\r?\n)/y;
  rest.lastIndex = at;
  return at + (rest.exec(text)?.[0].length ?? 0);
}

function commaAfter(text: string, at: number): number | undefined {
  const next = afterSpace(text, at);
  return text[next] === ',' ? next : undefined;
}

/** The line break and space before this place. */
function beforeSpace(text: string, at: number): number {
  const before = text.slice(0, at).replace(/[ \t]*$/, '');
  return before.replace(/\r?\n$/, '').length;
}

function lastMember({ members }: JsoncNode, name: string): JsoncMember | undefined {
  return members?.findLast(({ key }) => key === name);
}

function objectNode(text: string, node: JsoncNode, what: string): JsoncNode {
  if (node.members) return node;
  const line = text.slice(0, node.start).split('\n').length;
  throw new Fault('config/invalid', `${line}: ${what} is not an object.`);
}

/** Only an edit that says exactly what was meant is taken. */
function checked(edited: string, path: MemberPath, value: Json | undefined, before: string): string {
  if (says(edited, path, value, before)) return edited;
  throw new Fault('config/invalid', `"${path.join('.')}" cannot be edited here without touching more.`, {
    hint: 'Edit the file by hand.',
  });
}

function says(edited: string, path: MemberPath, value: Json | undefined, before: string): boolean {
  const wanted = withValueAt(parseJsonc(before).value, path, value);
  try {
    return sameValue(parseJsonc(edited).value, wanted);
  } catch {
    return false;
  }
}
