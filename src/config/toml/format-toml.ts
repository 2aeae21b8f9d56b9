import type { Json } from '../../base/json.ts';
import { formatKeyPath } from '../key-path.ts';
import { isTree } from '../tree.ts';

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
