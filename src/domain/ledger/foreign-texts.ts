/** Texts of another program's collection: JSON, JSON lines, or a Markdown list. */

import { isJsonList, isJsonObject, type Json, memberOf, parseJson } from '../../base/json.ts';
import type { AuditedText } from './audit-texts.ts';

/** In order; what has no text is left out, and what has no id is named after its place. */
export function foreignTexts(content: string): readonly AuditedText[] {
  const whole = parseJson(content);
  if (whole !== undefined) return listIn(whole).flatMap(textFrom);
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '');
  const parsed = lines.map(parseJson);
  if (parsed.length > 0 && parsed.every((line) => isJsonObject(line))) return parsed.flatMap(textFrom);
  return lines.flatMap((line, at) => {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1];
    return item === undefined ? [] : [{ id: `item ${at + 1}`, text: item, mergeKey: undefined }];
  });
}

/** The list itself, or the first list inside an object: `{"memories": […]}`. */
function listIn(value: Json): readonly Json[] {
  if (isJsonList(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).find(isJsonList) ?? [value];
}

function textFrom(value: Json | undefined, at: number): AuditedText[] {
  if (typeof value === 'string') return [{ id: `item ${at + 1}`, text: value, mergeKey: undefined }];
  const text = ['text', 'content', 'memory']
    .map((name) => memberOf(value, name))
    .find((each) => typeof each === 'string');
  if (typeof text !== 'string') return [];
  const [id, key] = [memberOf(value, 'id'), memberOf(value, 'merge_key')];
  const isNamed = typeof id === 'string' || typeof id === 'number';
  return [
    {
      id: isNamed ? String(id) : `item ${at + 1}`,
      text,
      mergeKey: typeof key === 'string' && key !== '' ? key : undefined,
    },
  ];
}
