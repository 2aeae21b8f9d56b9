import type { DefinitionSource } from '../../base/approvals.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { readableJson } from './readable-json.ts';

export interface DefinitionLine {
  readonly file: string;
  readonly key: string;
  readonly kind: 'same' | 'new' | 'gone' | 'changed';
  /** Absent for what is new. */
  readonly before?: string;
  /** Absent for what is gone. */
  readonly after?: string;
  /** The meaning of `after`, in words. */
  readonly words?: string;
}

/** In the order in which they are read, with removed ones last. */
export function definitionLines(
  before: readonly DefinitionSource[],
  after: readonly DefinitionSource[],
): DefinitionLine[] {
  const old = byPlace(before);
  const current = byPlace(after);
  const lines = [...current.values()].map(({ file, key, value, words }): DefinitionLine => {
    const was = old.get(place(file, key))?.value;
    const line = { file, key, after: value, ...(words !== undefined && { words }) };
    if (was === undefined) return { ...line, kind: 'new' };
    return { ...line, kind: was === value ? 'same' : 'changed', before: was };
  });
  const gone = [...old.values()].filter(({ file, key }) => !current.has(place(file, key)));
  return [
    ...lines,
    ...gone.map(({ file, key, value }) => ({ file, key, kind: 'gone' as const, before: value })),
  ];
}

/** `+ new`, `- gone`, both for what changed, and two spaces for what is the same; words stand below. */
export function formatDefinitionLine(line: DefinitionLine): string {
  const text = plainLine(line);
  return line.words === undefined ? text : `${text}\n    ${line.words}`;
}

function plainLine(line: DefinitionLine): string {
  const shown = (mark: string, value = '') => {
    const [first = '', ...rest] = valueLines(value);
    return [`${mark} ${line.file}: ${line.key}${first}`, ...rest.map((row) => `${mark}   ${row}`)].join('\n');
  };
  switch (line.kind) {
    case 'same':
      return shown(' ', line.after);
    case 'new':
      return shown('+', line.after);
    case 'gone':
      return shown('-', line.before);
    case 'changed':
      return `${shown('-', line.before)}\n${shown('+', line.after)}`;
  }
}

/** One setting stays on the line of its key; several have a line each below it. */
function valueLines(value: string): string[] {
  const parsed = parseJson(value);
  if (!isJsonObject(parsed) || Object.keys(parsed).length < 2) return [` = ${value}`];
  return ['', ...readableJson(parsed).split('\n')];
}

function byPlace(sources: readonly DefinitionSource[]) {
  const placed = sources.flatMap(({ file, definitions }) => definitions.map((each) => ({ file, ...each })));
  return new Map(placed.map((each) => [place(each.file, each.key), each]));
}

function place(file: string, key: string): string {
  return `${file}\0${key}`;
}
