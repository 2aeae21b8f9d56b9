/** Sets one key in a TOML text and leaves every other byte, comments included, as it was. */

import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import { outlineToml, type TomlOutline } from './toml-places.ts';
import { tomlValue } from './toml-value.ts';
import { sameValue, withValueAt } from './tree.ts';

/** `text` must be valid TOML. A Fault when the key stands in a form that cannot be edited safely. */
export function setInToml(text: string, path: KeyPath, value: Json): string {
  if (!text.startsWith(BYTE_ORDER_MARK)) return set(text, path, value);
  return `${BYTE_ORDER_MARK}${set(text.slice(1), path, value)}`;
}

/** What some editors begin a file with. */
export const BYTE_ORDER_MARK = '\uFEFF';

function set(text: string, path: KeyPath, value: Json): string {
  const outline = outlineToml(text);
  const edited = replaced(text, outline, path, value) ?? inserted(text, outline, path, value);
  const wanted = withValueAt(parseToml(text), path, value);
  if (parses(edited) && sameValue(parseToml(edited), wanted)) return edited;
  throw new Fault('config/invalid', `${formatKeyPath(path)} cannot be edited here without touching more.`, {
    hint: 'Edit the file by hand.',
  });
}

function replaced(text: string, { entries }: TomlOutline, path: KeyPath, value: Json): string | undefined {
  const entry = entries.find((each) => samePath(each.path, path));
  if (!entry) return undefined;
  const [start, end] = entry.node.value.range;
  return `${text.slice(0, start)}${tomlValue(value)}${text.slice(end)}`;
}

function inserted(text: string, outline: TomlOutline, path: KeyPath, value: Json): string {
  return insertedInline(text, outline, path, value) ?? insertedLine(text, outline, path, value);
}

/** Into `parent = { … }`, where the nearest table above is written that way. */
function insertedInline(
  text: string,
  { entries }: TomlOutline,
  path: KeyPath,
  value: Json,
): string | undefined {
  for (let length = path.length - 1; length > 0; length--) {
    const parent = entries.find((each) => samePath(each.path, path.slice(0, length)));
    if (parent?.node.value.type !== 'TOMLInlineTable') continue;
    const line = `${formatKeyPath(path.slice(length))} = ${tomlValue(value)}`;
    const { range, body } = parent.node.value;
    const last = body.at(-1);
    if (!last) return `${text.slice(0, range[0])}{ ${line} }${text.slice(range[1])}`;
    return `${text.slice(0, last.range[1])}, ${line}${text.slice(last.range[1])}`;
  }
  return undefined;
}

/** A line of its own: in the table it belongs to, or in a new one at the end. */
function insertedLine(text: string, { tables, entries }: TomlOutline, path: KeyPath, value: Json): string {
  const parent = path.slice(0, -1);
  const line = `${formatKeyPath(path.slice(-1))} = ${tomlValue(value)}`;
  const table = tables.find((each) => each.node.kind === 'standard' && samePath(each.path, parent));
  if (table) return insertLineAt(text, lineEnd(text, table.node.range[1]), line);
  if (parent.length > 0) {
    const end = lineEndOf(text);
    return `${withLineEnd(text, end)}${text === '' ? '' : end}[${formatKeyPath(parent)}]${end}${line}${end}`;
  }
  const lastAtTop = entries.findLast(({ node }) => node.parent.type === 'TOMLTopLevelTable');
  return lastAtTop
    ? insertLineAt(text, lineEnd(text, lastAtTop.node.range[1]), line)
    : insertFirst(text, line);
}

/** Before the first table, but below the comment the file opens with. */
function insertFirst(text: string, line: string): string {
  const opening = /^(?:[ \t]*#[^\n]*\n)*/.exec(text)?.[0] ?? '';
  return `${opening}${line}${lineEndOf(text)}${text.slice(opening.length)}`;
}

function insertLineAt(text: string, at: number, line: string): string {
  const end = lineEndOf(text);
  return `${withLineEnd(text.slice(0, at), end)}${line}${end}${text.slice(at)}`;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

function withLineEnd(text: string, end: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${end}`;
}

/** As the file has it. */
function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function samePath(a: KeyPath, b: KeyPath): boolean {
  return a.length === b.length && a.every((segment, at) => segment === b[at]);
}

function parses(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}
