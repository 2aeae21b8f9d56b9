import type { MarkedToken, Token } from 'marked';
import { neutralise } from '../../../base/terminal-text.ts';
import { decodeEntities } from './entities.ts';
import type { Span } from './spans.ts';

export interface InlineOptions {
  readonly color: boolean;
  /** The terminal opens OSC 8 links. */
  readonly hyperlinks: boolean;
}

type Look = Pick<Span, 'styles' | 'target'>;

export function inlineSpans(
  tokens: readonly Token[],
  options: InlineOptions,
  look: Look = { styles: [] },
): Span[] {
  return tokens.flatMap((token) => spansOf(token as MarkedToken, options, look));
}

function spansOf(token: MarkedToken, options: InlineOptions, look: Look): Span[] {
  const styled = (style: Span['styles'][number], tokens: readonly Token[]) =>
    inlineSpans(tokens, options, { ...look, styles: [...look.styles, style] });
  switch (token.type) {
    case 'strong':
      return styled('bold', token.tokens);
    case 'em':
      return styled('italic', token.tokens);
    case 'del':
      return options.color
        ? styled('strikethrough', token.tokens)
        : marked('~~', token.tokens, options, look);
    case 'codespan':
      return options.color
        ? [{ ...look, text: plain(token.text), styles: [...look.styles, 'cyan'] }]
        : [{ ...look, text: plain(`\`${token.text}\``) }];
    case 'br':
      return [{ ...look, text: '\n' }];
    case 'link':
      return link(token.href, inlineSpans(token.tokens, options, look), options);
    case 'image':
      return link(token.href, [{ ...look, text: `image: ${plain(decodeEntities(token.text))}` }], options);
    case 'text':
      if (token.tokens) return inlineSpans(token.tokens, options, look);
      return [{ ...look, text: plain(decodeEntities(token.text)) }];
    case 'escape':
      return [{ ...look, text: plain(token.text) }];
    case 'checkbox':
      return [];
    default:
      return [{ ...look, text: plain(token.raw) }];
  }
}

function marked(mark: string, tokens: readonly Token[], options: InlineOptions, look: Look): Span[] {
  return [{ ...look, text: mark }, ...inlineSpans(tokens, options, look), { ...look, text: mark }];
}

/** Shows the address, unless the text is the address or the terminal opens the link. */
function link(href: string, text: Span[], options: InlineOptions): Span[] {
  const shown = text.map((span) => span.text).join('');
  const address = plain(href);
  if (address === '' || shown === address || `mailto:${shown}` === address)
    return clickable(text, href, options);
  const looksLikeAnother = /^[a-z][a-z0-9+.-]*:|^www\.|^\/\//i.test(shown.trim());
  const target = targetOf(href, options);
  if (target && !looksLikeAnother) return text.map((span) => ({ ...span, target }));
  return [...text, { text: ` (${address})`, styles: options.color ? ['dim'] : [], target }];
}

function clickable(text: Span[], href: string, options: InlineOptions): Span[] {
  const target = targetOf(href, options);
  return target ? text.map((span) => ({ ...span, target })) : text;
}

/** Undefined unless it is safe inside an escape sequence and safe to open. */
function targetOf(href: string, { hyperlinks }: InlineOptions): string | undefined {
  if (!hyperlinks || !/^(?:https?|mailto):/i.test(href)) return undefined;
  return href.replace(/[^!-~]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** Neutralised, on one line: white space has no meaning in Markdown text. */
function plain(text: string): string {
  return neutralise(text.replace(/[ \t\n\r]+/g, ' '));
}
