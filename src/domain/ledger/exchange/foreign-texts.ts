/** Texts of another program's collection: JSON, JSON lines, or a Markdown list. */

import { Fault } from '../../../base/fault.ts';
import { isJsonList, isJsonObject, type Json, memberOf, parseJson } from '../../../base/json.ts';
import type { AuditedText } from '../evidence/audit-texts.ts';

/** Skips items without a text; an item without an id is named by its position. A Fault when no item has a text. */
export function foreignTexts(content: string): readonly AuditedText[] {
  const whole = parseJson(content);
  if (whole !== undefined) return textsAmong(listIn(whole), textFrom);
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '');
  const parsed = lines.map(parseJson);
  return parsed.every((line) => isJsonObject(line))
    ? textsAmong(parsed, textFrom)
    : textsAmong(lines, listItem);
}

function textsAmong<Piece>(
  pieces: readonly Piece[],
  read: (piece: Piece, at: number) => AuditedText[],
): readonly AuditedText[] {
  const texts = pieces.flatMap(read);
  if (texts.length > 0 || pieces.length === 0) return texts;
  throw new Fault('ledger/invalid', 'ken cannot read this as a collection of texts.', {
    hint: 'It reads JSON or JSON lines of {id, text|content|memory}, and Markdown lists.',
  });
}

function listItem(line: string, at: number): AuditedText[] {
  const item = /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1];
  return item === undefined ? [] : [{ id: `item ${at + 1}`, text: item, mergeKey: undefined }];
}

/** The list itself, or the first list inside an object such as `{"memories": […]}`. */
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
