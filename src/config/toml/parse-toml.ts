/** Parses TOML, and writes single values. */

import { parse, TomlError } from 'smol-toml';
import { Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import { formatKeyPath } from '../key-path.ts';
import { isTree, type Tree } from '../tree.ts';

/** The Fault of a mistake names `file`. Dates become objects, which no config key accepts. */
export function parseToml(text: string, file = 'TOML'): Tree {
  try {
    return parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Tree;
  } catch (error) {
    if (!(error instanceof TomlError)) throw deepNesting(error, file);
    const [first = ''] = error.message.split('\n');
    const what = first.replace(/^Invalid TOML document: /, '').replace(/\.$/, '');
    throw new Fault('config/invalid', `${file}:${error.line}:${error.column}: ${what}.`, { cause: error });
  }
}

/** The parser is recursive: a file that is nested thousands of levels deep overflows the stack. */
function deepNesting(error: unknown, file: string): unknown {
  if (!(error instanceof RangeError)) return error;
  return new Fault('config/invalid', `${file} is nested too deeply.`, { cause: error });
}

/** Formats a value as TOML on one line. `null` has no TOML form. */
export function tomlValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => tomlValue(item)).join(', ')}]`;
  if (isTree(value)) {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${formatKeyPath([key])} = ${tomlValue(inner)}`,
    );
    return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
  }
  return typeof value === 'string' ? tomlText(value) : String(value);
}

/** TOML has the escapes of JSON; only DEL may be unescaped in JSON and not in TOML. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
