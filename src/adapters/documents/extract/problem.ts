/** A document that cannot be read; the message is a part of a sentence, as in `it is encrypted`. */
export class DocumentProblem extends Error {}

/** Longer texts are not returned. */
export const MAX_TEXT_CHARACTERS = 8 * 1024 * 1024;

/** A line of the document's own that would pass for a heading which an extractor made. */
export function escapedLine(line: string): string {
  return /^\s*#/.test(line) ? line.replace('#', '\\#') : line;
}
