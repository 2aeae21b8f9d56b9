import { codePieces } from './code-pieces.ts';
import { type Html, html } from './html.ts';

/** Lines with their colours, which the style sheet has for each kind of piece. */
export function codeLines(text: string, language: string | undefined): Html[] {
  return codePieces(text, language).map(
    (pieces) =>
      html`${pieces.map(({ kind, text: shown }) => (kind === undefined ? html`${shown}` : html`<span class="hl-${kind}">${shown}</span>`))}`,
  );
}
