import fc from 'fast-check';
import { lexer, parse, type Tokens } from 'marked';
import { expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { plainText } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

const convert = (html: string) => htmlToMarkdown(html, 'https://site.example/').markdown;
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const collapse = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The text that a reader of the Markdown sees, by a renderer that is not ours. */
const seen = (markdown: string) =>
  plainText(parseHtml(parse(markdown, { async: false }).replaceAll('<br>', ' ')));

/** Text made of what Markdown might take for markup. */
const tricky = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'*_`~[]()<>#+-.!|\\&:;"\'/=$^{}1a Z ') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('&lt;', '<b>', '**', '__', '```', '](x)', '- ', '1. ', '# ', 'word', ' '),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
    ),
    { maxLength: 30 },
  )
  // These are taken out on purpose, and controls are not text.
  .map((parts) => parts.join('').replace(/[\p{Cc}\u00ad\u200b\u2060\ufeff]/gu, ''));

it('text means the same in Markdown', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const markdown = convert(`<p>${escapeHtml(text)}</p>`);
      expect({ markdown, text: seen(markdown) }).toEqual({ markdown, text: collapse(text) });
    }),
    { numRuns: scaled(750, 30000) },
  );
});

it('text in headings, items, links, cells and emphasis means the same', () => {
  const wrappers: ((text: string) => string)[] = [
    (text) => `<h2>${text}</h2>`,
    (text) => `<ul><li>${text}</li></ul>`,
    (text) => `<ol><li>${text}</li></ol>`,
    (text) => `<blockquote>${text}</blockquote>`,
    (text) => `<p><a href="/x">x ${text} x</a></p>`,
    (text) => `<table><tr><th>x</th><th>y</th></tr><tr><td>${text}</td><td>z</td></tr></table>`,
    (text) => `<p><b>x ${text} x</b></p>`,
    (text) => `<p>x<br>${text}</p>`,
  ];
  fc.assert(
    fc.property(tricky, fc.constantFrom(...wrappers), (text, wrap) => {
      fc.pre(collapse(text) !== '');
      const html = wrap(escapeHtml(text));
      const markdown = convert(html);
      const expected = plainText(parseHtml(html.replaceAll('<br>', ' ').replaceAll(/<\/t[dh]>/g, ' ')));
      expect({ markdown, text: collapse(seen(markdown)) }).toEqual({ markdown, text: expected });
    }),
    { numRuns: scaled(1000, 40000) },
  );
});

it('code stays as it is', () => {
  const line = fc.array(fc.constantFrom('`', '```', '~~~', ' ', '  ', 'x', '<', '&', '#', '\t'), {
    maxLength: 8,
  });
  const code = fc
    .array(
      line.map((parts) => parts.join('')),
      { maxLength: 6 },
    )
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(code, (code) => {
      fc.pre(code.trim() !== '');
      const markdown = convert(`<pre><code class="language-js">${escapeHtml(code)}</code></pre>`);
      const token = lexer(markdown)[0] as Tokens.Code;
      expect({ type: token.type, lang: token.lang, text: token.text }).toEqual({
        type: 'code',
        lang: 'js',
        text: code.replace(/^(?:[ \t]*\n)+/, '').trimEnd(),
      });
    }),
    { numRuns: scaled(250, 10000) },
  );
});

it('no word is lost and none is moved, however the markup nests', () => {
  const names = fc.constantFrom(
    ...'div p span b i em a ul ol li dl dt dd table tr td th blockquote section h2 h3 pre code figure br hr center font details summary sup kbd'.split(
      ' ',
    ),
  );
  const piece = fc.oneof(
    names.map((name) => `<${name}>`),
    names.map((name) => `</${name}>`),
    fc.constant('WORD'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      let count = 0;
      const html = pieces.map((one) => (one === 'WORD' ? ` word${count++} ` : one)).join('');
      const words = convert(`<main>${html}</main>`).match(/word\d+/g) ?? [];
      expect({ html, words: [...new Set(words)].toSorted() }).toEqual({
        html,
        words: Array.from({ length: count }, (_, at) => `word${at}`).toSorted(),
      });
    }),
    { numRuns: scaled(750, 30000) },
  );
});

it('reads any text', () => {
  const soup = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '"',
        "'",
        '&',
        '&#',
        '=',
        '<![CDATA[',
        '<?',
        '<svg>',
        '<script>',
        '<title>',
        '<plaintext>',
        '\0',
        '\r',
      ),
    ),
  );
  fc.assert(
    fc.property(soup, (parts) => {
      expect(typeof convert(parts.join(''))).toBe('string');
    }),
    { numRuns: scaled(250, 10000) },
  );
});
