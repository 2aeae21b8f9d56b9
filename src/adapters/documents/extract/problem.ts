import { HEADING_SEPARATOR } from '../../../domain/chunks/chunk.ts';

/** A document that cannot be read; the message is a part of a sentence, as in `it is encrypted`. */
export class DocumentProblem extends Error {}

/** Longer texts are not returned. */
export const MAX_TEXT_CHARACTERS = 8 * 1024 * 1024;

/** A line of the document's own that would pass for a heading which an extractor made, or hide one in a fence. */
export function escapedLine(line: string): string {
  return line.replace(/^(\s*)(?=#|`{3}|~{3})/, '$1\\');
}

/** In code a backslash would be read; a blank at the end of the line is not. */
export function escapedCodeLine(line: string): string {
  return /^## \w+ \d+$/.test(line) ? `${line} ` : line;
}

const LONGEST_TITLE = 200;
export const UNTITLED = 'Untitled';

/** Undefined for a title of blanks. */
export function titleLine(title: string): string | undefined {
  const line = title.replace(/\s+/g, ' ').replaceAll(HEADING_SEPARATOR.trim(), '>').trim();
  return line === '' ? undefined : line.slice(0, LONGEST_TITLE).toWellFormed();
}

/** Longer than every run of backticks in the text, so that nothing in it ends the fence. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.split('\n').map(escapedCodeLine).join('\n')}\n${fence}`;
}

/** The deepest headings of Markdown. */
const DEEPEST = 6;

/** A heading of the document's own, below the title and the part that the extractor names. */
export function innerHeading(level: number, text: string): string {
  return `${'#'.repeat(Math.min(DEEPEST, level + 2))} ${text}`;
}
