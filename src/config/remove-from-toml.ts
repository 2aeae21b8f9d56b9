import { Fault } from '../base/fault.ts';
import { BYTE_ORDER_MARK } from './edit-toml.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import { outlineToml, type TomlEntry } from './toml-places.ts';
import { sameValue, type Tree, valueAt, withValueAt } from './tree.ts';

/** Takes a table with all that is below it out of a TOML text, and leaves every other byte as it was. */
export function removeFromToml(text: string, path: KeyPath): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return `${BYTE_ORDER_MARK}${removeFromToml(text.slice(1), path)}`;
  const parsed = parseToml(text);
  if (valueAt(parsed, path) === undefined) return text;
  const edited = withoutEntries(withoutTables(text, path), path);
  const wanted = withValueAt(parsed, path, undefined);
  if (isOneOf(edited, [wanted, withoutEmpty(wanted, path)])) return edited;
  throw new Fault('config/invalid', `${formatKeyPath(path)} cannot be removed here without touching more.`, {
    hint: 'Edit the file by hand.',
  });
}

/** `[servers.ken]` and `[servers.ken.env]`. */
function withoutTables(text: string, path: KeyPath): string {
  const mine = outlineToml(text).tables.filter((table) => isBelow(table.path, path));
  return mine.toReversed().reduce((rest, { node }) => withoutTable(rest, node.range), text);
}

/** `servers.ken.command = …`, and the same inside of an inline table. One at a time, since each moves the next. */
function withoutEntries(text: string, path: KeyPath): string {
  const first = outlineToml(text).entries.find((entry) => isBelow(entry.path, path));
  if (!first) return text;
  const [from, to] = rangeOf(text, first);
  return withoutEntries(`${text.slice(0, from)}${text.slice(to)}`, path);
}

function rangeOf(text: string, { node }: TomlEntry): readonly [number, number] {
  if (node.parent.type !== 'TOMLInlineTable') return lines(text, node.range);
  const siblings = node.parent.body;
  const at = siblings.indexOf(node);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  if (before) return [before.range[1], node.range[1]];
  return after ? [node.range[0], after.range[0]] : node.range;
}

/** With the empty line before it. */
function withoutTable(text: string, range: readonly [number, number]): string {
  const [start, end] = lines(text, range);
  return `${text.slice(0, start).replace(/(^|\n)\r?\n$/, '$1')}${text.slice(end)}`;
}

/** Whole ones. */
function lines(text: string, [from, to]: readonly [number, number]): readonly [number, number] {
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

/** Tables above that held nothing else are gone with it. */
function withoutEmpty(tree: Tree, path: KeyPath): Tree {
  const parent = path.slice(0, -1);
  const left = valueAt(tree, parent);
  const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
  return parent.length > 0 && isEmpty ? withValueAt(tree, parent, undefined) : tree;
}
