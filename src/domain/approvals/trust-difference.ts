/** Compares the definitions of a workspace with those that were trusted, a line for each. */

import type { DefinitionSource } from '../../base/approvals.ts';

export interface DefinitionLine {
  readonly file: string;
  readonly key: string;
  readonly kind: 'same' | 'new' | 'gone' | 'changed';
  /** Absent for what is new. */
  readonly before?: string;
  /** Absent for what is gone. */
  readonly after?: string;
}

/** In the order in which they are read; what is gone comes last. */
export function definitionLines(
  before: readonly DefinitionSource[],
  after: readonly DefinitionSource[],
): DefinitionLine[] {
  const old = byPlace(before);
  const current = byPlace(after);
  const lines = [...current.values()].map(({ file, key, value }): DefinitionLine => {
    const was = old.get(place(file, key))?.value;
    if (was === undefined) return { file, key, kind: 'new', after: value };
    if (was === value) return { file, key, kind: 'same', before: was, after: value };
    return { file, key, kind: 'changed', before: was, after: value };
  });
  const gone = [...old.values()].filter(({ file, key }) => !current.has(place(file, key)));
  return [
    ...lines,
    ...gone.map(({ file, key, value }) => ({ file, key, kind: 'gone' as const, before: value })),
  ];
}

/** `+ new`, `- gone`, both for what changed, and two spaces for what is the same. */
export function formatDefinitionLine(line: DefinitionLine): string {
  const shown = (mark: string, value: string | undefined) => `${mark} ${line.file}: ${line.key} = ${value}`;
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

interface PlacedDefinition {
  readonly file: string;
  readonly key: string;
  readonly value: string;
}

function byPlace(sources: readonly DefinitionSource[]): Map<string, PlacedDefinition> {
  const placed = sources.flatMap(({ file, definitions }) => definitions.map((each) => ({ file, ...each })));
  return new Map(placed.map((each) => [place(each.file, each.key), each]));
}

function place(file: string, key: string): string {
  return `${file}\0${key}`;
}
