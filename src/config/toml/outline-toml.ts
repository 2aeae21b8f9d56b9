/** Finds keys in a TOML text. Loads a full parser, for error messages and edits only. */

import { type AST, parseTOML } from 'toml-eslint-parser';
import { Fault } from '../../base/fault.ts';
import { formatKeyPath, type KeyPath } from '../key-path.ts';

export interface Place {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** A `key = value` of the text, with the whole path that it sets. */
export interface TomlEntry {
  readonly path: KeyPath;
  readonly node: AST.TOMLKeyValue;
}

export interface TomlTable {
  readonly path: KeyPath;
  readonly node: AST.TOMLTable;
}

export interface TomlOutline {
  readonly entries: readonly TomlEntry[];
  readonly tables: readonly TomlTable[];
}

/** The text must be valid TOML. A Fault when one of its texts is too long, or its lists too deep, for this parser. */
export function outlineToml(text: string): TomlOutline {
  const entries: TomlEntry[] = [];
  const tables: TomlTable[] = [];
  for (const node of parsed(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') collect(node, [], entries);
    else {
      const path = node.resolvedKey.map(String);
      tables.push({ path, node });
      for (const each of node.body) collect(each, path, entries);
    }
  }
  return { entries, tables };
}

function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Fault('config/invalid', 'A value in this file is too long or too deep to be edited here.', {
      hint: 'Edit the file by hand.',
      cause,
    });
  }
}

/** The place of the key, or of the nearest table above it. */
export function placeOfKey(text: string, path: KeyPath): Place | undefined {
  const outline = unlessFault(() => outlineToml(text.replace(/^\uFEFF/, '')));
  if (!outline) return undefined;
  const { entries, tables } = outline;
  for (let length = path.length; length > 0; length--) {
    const wanted = formatKeyPath(path.slice(0, length));
    const named = [...entries, ...tables].find((each) => formatKeyPath(each.path) === wanted);
    // A key that is only written as part of longer keys has the place of the first of them.
    const inside = [...entries, ...tables].find((each) => formatKeyPath(each.path).startsWith(`${wanted}.`));
    const found = named ?? inside;
    if (found) return { line: found.node.loc.start.line, column: found.node.loc.start.column + 1 };
  }
  return undefined;
}

function unlessFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function collect(node: AST.TOMLKeyValue, above: KeyPath, entries: TomlEntry[]): void {
  const path = [...above, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  entries.push({ path, node });
  if (node.value.type !== 'TOMLInlineTable') return;
  for (const inner of node.value.body) collect(inner, path, entries);
}
