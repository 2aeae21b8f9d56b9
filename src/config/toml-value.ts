import type { Json } from '../base/json.ts';
import { formatKeyPath } from './key-path.ts';
import { isTree } from './tree.ts';

/** A value as TOML writes it on one line. `null` has no TOML form. */
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

/** JSON's escapes are TOML's too; only DEL is allowed raw by one and not by the other. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
