import { Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import { formatKeyPath, type KeyPath } from '../key-path.ts';
import { sameValue, type Tree, valueAt, withValueAt } from '../tree.ts';
import { tomlValue } from './format-toml.ts';
import { outlineToml, type TomlEntry, type TomlOutline } from './outline-toml.ts';
import { parseToml } from './parse-toml.ts';

/** Sets one key. `text` must be valid TOML. A Fault when the key is written in a form that cannot be edited safely. */
export function setInToml(text: string, path: KeyPath, value: Json): string {
  if (!text.startsWith(BYTE_ORDER_MARK)) return set(text, path, value);
  return `${BYTE_ORDER_MARK}${set(text.slice(1), path, value)}`;
}

/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = '\uFEFF';

function set(text: string, path: KeyPath, value: Json): string {
  const outline = outlineToml(text);
  const edited =
    replaced(text, outline, path, value) ??
    insertedInline(text, outline, path, value) ??
    insertedLine(text, outline, path, value);
  const wanted = withValueAt(parseToml(text), path, value);
  if (parses(edited) && sameValue(parseToml(edited), wanted)) return edited;
  throw new Fault(
    'config/invalid',
    `${formatKeyPath(path)} cannot be edited here without changing more of the file.`,
    { hint: 'Edit the file by hand.' },
  );
}

function replaced(text: string, { entries }: TomlOutline, path: KeyPath, value: Json): string | undefined {
  const entry = entries.find((each) => samePath(each.path, path));
  if (!entry) return undefined;
  const [start, end] = entry.node.value.range;
  return `${text.slice(0, start)}${tomlValue(value)}${text.slice(end)}`;
}

/** Inserts into `parent = { … }`, if the nearest table above is written that way. */
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

/** Inserts a line into the table that the key belongs to, or into a new table at the end. */
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

/** Inserts before the first table, but below the comment at the start of the file. */
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

/** Removes a table with everything below it. A Fault when that cannot be done safely. */
export function removeFromToml(text: string, path: KeyPath): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return `${BYTE_ORDER_MARK}${removeFromToml(text.slice(1), path)}`;
  const parsed = parseToml(text);
  if (valueAt(parsed, path) === undefined) return text;
  const edited = withoutEntries(withoutTables(text, path), path);
  const wanted = withValueAt(parsed, path, undefined);
  if (isOneOf(edited, [wanted, withoutEmpty(wanted, path)])) return edited;
  throw new Fault(
    'config/invalid',
    `${formatKeyPath(path)} cannot be removed here without changing more of the file.`,
    { hint: 'Edit the file by hand.' },
  );
}

/** Removes `[servers.ken]` and `[servers.ken.env]`. */
function withoutTables(text: string, path: KeyPath): string {
  const mine = outlineToml(text).tables.filter((table) => isBelow(table.path, path));
  return mine.toReversed().reduce((rest, { node }) => withoutTable(rest, node.range), text);
}

/** Removes `servers.ken.command = …`, also inside an inline table. One at a time, since each moves the next. */
function withoutEntries(text: string, path: KeyPath): string {
  const first = outlineToml(text).entries.find((entry) => isBelow(entry.path, path));
  if (!first) return text;
  const [from, to] = rangeOf(text, first);
  return withoutEntries(`${text.slice(0, from)}${text.slice(to)}`, path);
}

function rangeOf(text: string, { node }: TomlEntry): readonly [number, number] {
  if (node.parent.type !== 'TOMLInlineTable') return wholeLines(text, node.range);
  const siblings = node.parent.body;
  const at = siblings.indexOf(node);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  if (before) return [before.range[1], node.range[1]];
  return after ? [node.range[0], after.range[0]] : node.range;
}

/** Removes the empty line before it too. */
function withoutTable(text: string, range: readonly [number, number]): string {
  const [start, end] = wholeLines(text, range);
  return `${text.slice(0, start).replace(/(^|\n)\r?\n$/, '$1')}${text.slice(end)}`;
}

function wholeLines(text: string, [from, to]: readonly [number, number]): readonly [number, number] {
  const end = text.indexOf('\n', to);
  return [text.lastIndexOf('\n', from - 1) + 1, end === -1 ? text.length : end + 1];
}

function isBelow(path: KeyPath, above: KeyPath): boolean {
  return above.every((segment, at) => path[at] === segment);
}

function isOneOf(text: string, trees: readonly Tree[]): boolean {
  try {
    const parsed = parseToml(text);
    return trees.some((tree) => sameValue(parsed, tree));
  } catch {
    return false;
  }
}

/** Removes the table above, if it is empty now. */
function withoutEmpty(tree: Tree, path: KeyPath): Tree {
  const parent = path.slice(0, -1);
  const left = valueAt(tree, parent);
  const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
  return parent.length > 0 && isEmpty ? withValueAt(tree, parent, undefined) : tree;
}
