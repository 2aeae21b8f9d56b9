/**
 * Splits at white space and reads quotes and backslashes, and nothing else that a shell does. Undefined when a quote is
 * not closed or the last character is a backslash.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; ) {
    const letter = line[at] ?? '';
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const piece = readPiece(line, at);
    if (!piece) return undefined;
    word = (word ?? '') + piece.text;
    at = piece.end;
  }
  return word === undefined ? words : [...words, word];
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

function readPiece(line: string, at: number): Piece | undefined {
  const letter = line[at];
  if (letter === "'") {
    const end = line.indexOf("'", at + 1);
    return end === -1 ? undefined : { text: line.slice(at + 1, end), end: end + 1 };
  }
  if (letter === '"') return readDoubleQuoted(line, at + 1);
  if (letter !== '\\') return { text: letter ?? '', end: at + 1 };
  const escaped = line[at + 1];
  return escaped === undefined ? undefined : { text: escaped, end: at + 2 };
}

/** Inside double quotes a backslash escapes only `"`, `\`, `$` and a backquote; elsewhere it is an ordinary character. */
function readDoubleQuoted(line: string, start: number): Piece | undefined {
  let text = '';
  for (let at = start; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '"') return { text, end: at + 1 };
    const next = line[at + 1];
    if (letter === '\\' && next !== undefined && '"\\$`'.includes(next)) {
      text += next;
      at += 1;
    } else text += letter;
  }
  return undefined;
}

/** Quotes only where necessary. */
export function shellWord(text: string): string {
  return SAFE.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const SAFE = /^[A-Za-z0-9_./:@%+=-]+$/;
