/** Where each line of a bundle comes from, in a form that the tool carries with it for its error messages. */

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * The statement that is added after the last line of a bundle. For each line it has the places in that line at which
 * another source line begins: column, number of the source, line.
 */
export function sourceLinesScript({ sources, mappings }: SourceMap): string {
  const position = { source: 0, line: 0 };
  const lines = mappings.split(';').map((text) => linePlaces(text, position));
  return `globalThis.kenSources = ${JSON.stringify({ files: sources, lines })};\n`;
}

type Place = readonly [column: number, source: number, line: number];

/** `position` goes on from line to line: each number of a source map is a difference. */
function linePlaces(text: string, position: { source: number; line: number }): Place[] {
  const places: Place[] = [];
  let column = 0;
  for (const segment of text === '' ? [] : text.split(',')) {
    const [columns = 0, source, line = 0] = numbersOf(segment);
    column += columns;
    if (source === undefined) continue;
    position.source += source;
    position.line += line;
    const last = places.at(-1);
    if (last?.[1] === position.source && last[2] === position.line + 1) continue;
    places.push([column, position.source, position.line + 1]);
  }
  return places;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ: five bits a digit, the lowest first; the lowest bit of a number is its sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
