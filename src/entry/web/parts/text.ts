/** Foreign text as HTML: Markdown without raw HTML, lines with numbers, words of a question marked. */

import { Lexer, type Token, type Tokens } from 'marked';
import type { LineRange } from '../../../base/text.ts';
import { isStopWord, termsOf, wordsOf } from '../../../domain/words/terms.ts';
import { decodeEntities } from '../../cli/render/entities.ts';
import { codeLines } from './code.ts';
import { languageOf } from './code-pieces.ts';
import { citationAddress, type Html, html, NOTHING } from './html.ts';
import { withinTime } from './within-time.ts';

/** Renders only known elements. HTML in the text is shown as text, images are shown as links. */
export function markdown(text: string): Html {
  try {
    const tokens = withinTime(() => Lexer.lex(text, { gfm: true }));
    return tokens ? html`<div class="prose">${blocks(tokens)}</div>` : plainText(text);
  } catch (error) {
    // The text nests deeper than the stack is.
    if (error instanceof RangeError) return plainText(text);
    throw error;
  }
}

/** Code in the colours of its language. */
export function codeBlock(text: string, language: string | undefined): Html {
  const lines = codeLines(text, language);
  return html`<pre tabindex="0"><code>${lines.map((line, at) => html`${line}${at < lines.length - 1 ? '\n' : ''}`)}</code></pre>`;
}

export function plainText(text: string): Html {
  return html`<pre tabindex="0">${text}</pre>`;
}

function blocks(tokens: readonly Token[]): Html[] {
  return tokens.map((token) => block(token as Tokens.Generic));
}

function block(token: Tokens.Generic): Html {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading);
    case 'paragraph':
      return html`<p>${inlines(token.tokens)}</p>`;
    case 'code':
      return codeBlock(String(token.text), /^[\w+#-]+/.exec(String(token.lang ?? ''))?.[0]);
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens ?? [])}</blockquote>`;
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return html`<hr>`;
    case 'html':
      return html`<p><code>${String(token.text).trim()}</code></p>`;
    case 'text':
      return html`${inlines(token.tokens ?? [token])}`;
    default:
      return NOTHING;
  }
}

/** The page itself has the heading of the first level. */
function heading({ depth, tokens }: Tokens.Heading): Html {
  const text = inlines(tokens);
  if (depth === 1) return html`<h2>${text}</h2>`;
  return depth === 2 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`;
}

function list({ ordered, start, items }: Tokens.List): Html {
  const shown = items.map(
    ({ task, checked, tokens }) =>
      html`<li>${task ? (checked ? '[x] ' : '[ ] ') : ''}${blocks(tokens.filter(({ type }) => type !== 'checkbox'))}</li>`,
  );
  return ordered ? html`<ol start="${Number(start) || 1}">${shown}</ol>` : html`<ul>${shown}</ul>`;
}

function table({ header, rows }: Tokens.Table): Html {
  const side = ({ align }: Tokens.TableCell) => (align === 'right' ? html` class="end"` : NOTHING);
  return html`<div class="wide" tabindex="0"><table>
    <thead><tr>${header.map((cell) => html`<th${side(cell)}>${inlines(cell.tokens)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td${side(cell)}>${inlines(cell.tokens)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function inlines(tokens: readonly Token[] | undefined): Html[] {
  return (tokens ?? []).map((token) => inline(token as Tokens.Generic));
}

function inline(token: Tokens.Generic): Html {
  const text = typeof token.text === 'string' ? token.text : token.raw;
  switch (token.type) {
    case 'strong':
      return html`<strong>${inlines(token.tokens)}</strong>`;
    case 'em':
      return html`<em>${inlines(token.tokens)}</em>`;
    case 'del':
      return html`<del>${inlines(token.tokens)}</del>`;
    case 'codespan':
      return html`<code>${text}</code>`;
    case 'br':
      return html`<br>`;
    case 'link':
      return link(String(token.href), html`${inlines(token.tokens)}`, wordsIn(token));
    case 'image':
      return link(String(token.href), html`image: ${text || String(token.href)}`);
    case 'html':
      return html`<code>${token.raw}</code>`;
    default:
      return token.tokens ? html`${inlines(token.tokens)}` : withCitations(decodeEntities(text));
  }
}

/** Citations in plain text are links too. */
function withCitations(text: string): Html {
  const parts = text.split(/(ken:\/\/[^\s<>()[\]"'`]+)/);
  if (parts.length === 1) return html`${text}`;
  return html`${parts.map((part, at) => (at % 2 === 1 ? citationLink(part) : html`${part}`))}`;
}

function citationLink(part: string): Html {
  const uri = part.replace(/[.,;:!?]+$/, '');
  return html`<a href="${citationAddress(uri)}">${uri}</a>${part.slice(uri.length)}`;
}

/** Other schemes, and paths inside of a repository, stay text. `words` are those of the text, if others chose them. */
export function link(target: string, text: Html, words = ''): Html {
  const href = decodeEntities(target);
  if (/^ken:\/\//.test(href)) return html`<a href="${citationAddress(href)}">${text}</a>`;
  if (!/^(?:https?|mailto):/i.test(href)) return html`<span title="${href}">${text}</span>`;
  const named = namedHost(words);
  const host = hostOf(href);
  return html`<a href="${href}" title="${href}" rel="noreferrer noopener external" target="_blank">${text}</a>${
    named === undefined || named === host ? NOTHING : html` <span class="quiet">(leads to ${host})</span>`
  }`;
}

function wordsIn({ tokens, text, raw }: Tokens.Generic): string {
  return tokens
    ? tokens.map((token) => wordsIn(token as Tokens.Generic)).join('')
    : decodeEntities(String(text ?? raw));
}

function hostOf(href: string): string {
  const host = /^mailto:/i.test(href)
    ? href.replace(/^.*@|\?.*$/g, '')
    : URL.canParse(href)
      ? new URL(href).host
      : href;
  return host.toLowerCase().replace(/^www\./, '');
}

/** The host that a text names as an address does; a file's name is none. */
function namedHost(words: string): string | undefined {
  const text = words.replace(/\p{Cf}/gu, '').trim();
  const [, scheme, host] =
    /^(https?:\/\/|www\.)?(?:[^/@\s]*@)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?)(?:[/?#]\S*)?$/iu.exec(
      text,
    ) ?? [];
  if (host === undefined || (scheme === undefined && languageOf(host) !== undefined)) return undefined;
  return host.toLowerCase().replace(/^www\./, '');
}

/** Marks the words that the question has too, in whatever form. */
export function marked(text: string, question: string): Html {
  const wanted = new Set(wordsOf(question).flatMap((word) => (isStopWord(word) ? [] : termsOf(word))));
  if (wanted.size === 0) return html`${text}`;
  const parts = text.split(/([\p{L}\p{N}_]+)/u);
  return html`${parts.map((part, at) =>
    at % 2 === 1 && termsOf(part).some((term) => wanted.has(term))
      ? html`<mark>${part}</mark>`
      : html`${part}`,
  )}`;
}

interface Numbered {
  readonly cited?: LineRange | undefined;
  readonly language?: string | undefined;
  /** Lines with which a chunk begins. */
  readonly starts?: ReadonlySet<number>;
}

/** Every line with its number; those of the range are marked. */
export function numberedLines(
  lines: readonly string[],
  { cited, language, starts = new Set() }: Numbered,
): Html {
  const shown = codeLines(lines.join('\n'), language).map((line, at) => {
    const number = at + 1;
    const isCited = cited !== undefined && number >= cited.first && number <= cited.last;
    const kind = [isCited ? 'cited' : '', starts.has(number) && number > 1 ? 'starts' : ''].join(' ').trim();
    return html`<span ${kind === '' ? NOTHING : html`class="${kind}"`} id="L${number}"><b aria-hidden="true">${number}</b>${line}${'\n'}</span>`;
  });
  return html`<pre class="lines" tabindex="0" aria-label="Text with line numbers">${shown}</pre>`;
}
