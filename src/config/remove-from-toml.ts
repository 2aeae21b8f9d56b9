import { Fault } from '../base/fault.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import { outlineToml } from './toml-places.ts';
import { sameValue, valueAt, withValueAt } from './tree.ts';

/** Takes a table with all that is below it out of a TOML text, and leaves every other byte as it was. */
export function removeFromToml(text: string, path: KeyPath): string {
  const parsed = parseToml(text);
  if (valueAt(parsed, path) === undefined) return text;
  const { tables } = outlineToml(text);
  const mine = tables.filter((table) => path.every((segment, at) => table.path[at] === segment));
  const edited = mine.toReversed().reduce((rest, { node }) => withoutLines(rest, node.range), text);
  if (sameValue(parseToml(edited), withoutEmpty(withValueAt(parsed, path, undefined), path))) return edited;
  throw new Fault('config/invalid', `${formatKeyPath(path)} cannot be removed here without touching more.`, {
    hint: 'Edit the file by hand.',
  });
}

/** The lines of this range, with the empty line before them. */
function withoutLines(text: string, [from, to]: readonly [number, number]): string {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = text.indexOf('\n', to);
  const head = text.slice(0, start).replace(/(^|\n)\r?\n$/, '$1');
  return `${head}${lineEnd === -1 ? '' : text.slice(lineEnd + 1)}`;
}

/** Tables above that held nothing else are gone with it. */
function withoutEmpty(tree: ReturnType<typeof withValueAt>, path: KeyPath): ReturnType<typeof withValueAt> {
  const parent = path.slice(0, -1);
  const left = valueAt(tree, parent);
  const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
  return parent.length > 0 && isEmpty ? withValueAt(tree, parent, undefined) : tree;
}
