import type { Json } from '../../base/json.ts';

/** Unambiguous: quoted text is JSON; unquoted text is indented below a key that ends in `|`. */
export function readableJson(value: Json, indent = ''): string {
  if (typeof value !== 'object' || value === null) return `${indent}${JSON.stringify(value)}`;
  const entries = Array.isArray(value)
    ? value.map((item: Json) => entry(indent, '-', item))
    : Object.entries(value).map(([key, item]) => entry(indent, `${shownKey(key)}:`, item));
  return entries.length > 0 ? entries.join('\n') : `${indent}${Array.isArray(value) ? '[]' : '{}'}`;
}

function entry(indent: string, name: string, value: Json): string {
  if (typeof value === 'string' && /[\r\n]/.test(value)) {
    const lines = value.split(/\r\n|\r|\n/).map((line) => `${indent}  ${line}`);
    return [`${indent}${name} |`, ...lines].join('\n');
  }
  const isFlat = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return isFlat
    ? `${indent}${name} ${readableJson(value)}`
    : `${indent}${name}\n${readableJson(value, `${indent}  `)}`;
}

function shownKey(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : JSON.stringify(key);
}
