/** Code in the colours of a terminal. */

import { codePieces, languageOf, type Piece, type PieceKind } from '../../web/parts/code-pieces.ts';
import type { Style, Styler } from '../terminal-abilities.ts';

const COLOURS: Readonly<Record<PieceKind, Style>> = {
  keyword: 'magenta',
  string: 'green',
  number: 'cyan',
  comment: 'gray',
  title: 'blue',
};
const PROSE = /\.(?:md|markdown|mdx|txt)$/i;

/** Undefined for prose, and for code of an unknown language. The text must be neutralised already. */
export function colouredLines(path: string, text: string): ColouredLine[] | undefined {
  const language = PROSE.test(path) ? undefined : languageOf(path);
  if (language === undefined) return undefined;
  return codePieces(text, language).map((pieces) => (style, mark) => line(pieces, style, mark));
}

/** The line as it is printed. */
export type ColouredLine = (style: Styler, mark?: MarkWords) => string;

/** Words that stand out in a text, whose other parts `rest` styles. */
export type MarkWords = (text: string, rest: (part: string) => string) => string;

function line(pieces: readonly Piece[], style: Styler, mark: MarkWords = (text, rest) => rest(text)): string {
  return pieces
    .map(({ kind, text }) => mark(text, (part) => (kind === undefined ? part : style(COLOURS[kind], part))))
    .join('');
}
