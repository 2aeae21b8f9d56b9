/** Notes of basic-memory: Markdown with observations (`- [kind] text #tag (context)`) and relations (`- kind [[Note]]`). */

import { parseIsoTime, secondsOf } from '../../../base/time.ts';
import { type ForeignMemory, memoryTags, memoryText, memoryTitle, saidBy } from './foreign-memories.ts';

export interface ForeignNote {
  /** Relative to the directory of the notes. */
  readonly path: string;
  readonly text: string;
  /** Relative to the workspace, for a note inside of it. */
  readonly workspacePath: string | undefined;
}

export function memoriesOfNotes(notes: readonly ForeignNote[]): ForeignMemory[] {
  return notes.flatMap(memoriesOf);
}

function memoriesOf(note: ForeignNote): ForeignMemory[] {
  const lines = note.text.replace(/^\ufeff/, '').split(/\r?\n/);
  const { fields, end } = frontMatter(lines);
  const stem = note.path.replace(/\.\w+$/, '');
  const title = memoryTitle(fields.get('title') ?? '') || memoryTitle(stem.split('/').at(-1) ?? '') || 'Note';
  const place = fields.get('permalink') || stem;
  const at = dayOf(fields.get('created') ?? fields.get('date'));
  let fence: string | undefined;
  return lines.flatMap((line, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    if (index < end || fence !== undefined || mark || line.length > LONGEST_LINE) return [];
    const item = observationIn(line) ?? relationIn(line, title);
    if (!item) return [];
    const provenance =
      note.workspacePath === undefined
        ? saidBy('basic-memory', place, at)
        : `file:${note.workspacePath}#L${index + 1}`;
    const key = [item.kind, place, item.text].join('\0');
    const tags = memoryTags(item.kind, ...item.tags, ...listOf(fields.get('tags')));
    return [{ key, title: `${title}: ${item.kind}`, text: item.text, tags, at, provenance }];
  });
}

/** A longer line is no observation, and a hostile one would take long. */
const LONGEST_LINE = 10_000;

interface Item {
  readonly kind: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** Boxes to tick, links and wikilinks look similar. */
function observationIn(line: string): Item | undefined {
  const [, kind = '', rest = ''] = /^\s*[-*]\s+\[([^\][()]{1,60})\]\s+(\S.*)$/.exec(line) ?? [];
  if (/^[ xX-]?$/.test(kind.trim())) return undefined;
  const tags = [...rest.matchAll(/(?:^|\s)#([\p{L}\p{N}_/-]+)/gu)].map(([, tag]) => tag ?? '');
  const text = memoryText(rest.replace(/(?:\s+#[\p{L}\p{N}_/-]+)+(?=\s*(?:\([^()]*\))?\s*$)/u, ''));
  return text === '' ? undefined : { kind: memoryTitle(kind), text, tags };
}

function relationIn(line: string, title: string): Item | undefined {
  const [, kind = '', target = '', context = ''] =
    /^\s*[-*]\s+(\S[^[\]]{0,60}?)\s+\[\[([^\][]{1,200})\]\]\s*(\([^()]*\))?\s*$/.exec(line) ?? [];
  if (target.trim() === '') return undefined;
  const text = memoryText(`${title} ${kind} ${target} ${context}`);
  return { kind: memoryTitle(kind), text, tags: ['relation'] };
}

/** Texts by key; lists of tags are kept as they are written. `end` is the first line behind it. */
function frontMatter(lines: readonly string[]): {
  readonly fields: ReadonlyMap<string, string>;
  readonly end: number;
} {
  const fields = new Map<string, string>();
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1) return { fields, end: 0 };
  let list: string | undefined;
  for (const line of lines.slice(1, end)) {
    const [, key, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (key !== undefined) {
      fields.set(key, unquoted(value));
      list = value.trim() === '' ? key : undefined;
    } else if (item !== undefined && list !== undefined)
      fields.set(list, [fields.get(list), unquoted(item)].filter(Boolean).join(','));
  }
  return { fields, end: end + 1 };
}

function unquoted(value: string): string {
  const text = value.trim();
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function listOf(tags: string | undefined): readonly string[] {
  return (tags ?? '')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((tag) => unquoted(tag));
}

function dayOf(text: string | undefined): number | undefined {
  const time = parseIsoTime(text ?? '');
  return time !== undefined && time > 0 ? secondsOf(time) : undefined;
}
