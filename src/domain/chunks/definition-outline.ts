import { type Block, nameFrom, OutlineBuilder } from './outline.ts';
import type { TextLines } from './text-lines.ts';

/** A definition ends where the next one begins that is indented no deeper. */
export function definitionOutline(lines: TextLines): Block[] {
  const outline = new OutlineBuilder();
  for (let line = 0; line < lines.count; line++) {
    const level = lines.indent(line);
    const name = level < 0 ? undefined : definedName(lines.line(line));
    if (name !== undefined) outline.begin({ level, first: firstOfLead(lines, line, level), name });
  }
  return outline.finish(lines.count);
}

const WORDS = [
  'actor class contract def defmodule defp enum extension fn fun func function impl interface library macro message',
  'method module namespace object package proc procedure protocol record resource service struct sub table trait type',
  'union view',
]
  .join(' ')
  .replaceAll(' ', '|');

/** `public static func name`, `create or replace view "name"`: up to five words, one that defines, the name. */
const DEFINITION = new RegExp(
  `^\\s*(?:[\\w@()]{1,40}\\s+){0,5}?(?:${WORDS})\\s+(?:if\\s+not\\s+exists\\s+)?["'\`[]?([A-Za-z_$][\\w$.:-]*)`,
  'i',
);
/** Only the beginning of a line is examined, however long it is. */
const LONGEST_START = 240;

function definedName(line: string): string | undefined {
  if (/^\s*(?:\/\/|\/\*|\*|#|--|;|%|return\b|import\b|from\b)/.test(line.slice(0, LONGEST_START)))
    return undefined;
  const name = DEFINITION.exec(line.slice(0, LONGEST_START))?.[1];
  return name === undefined ? undefined : nameFrom(name.replace(/[.:-]+$/, ''));
}

const LEAD = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|@|\[)/;

/** Includes comments and attributes right above a definition, at its indentation. */
function firstOfLead(lines: TextLines, line: number, indent: number): number {
  let first = line;
  while (first > 0) {
    const above = lines.indent(first - 1);
    // A line of a block comment may be indented one blank further.
    if (above < indent || above > indent + 1 || !LEAD.test(lines.line(first - 1).slice(0, LONGEST_START)))
      break;
    first--;
  }
  return first;
}
