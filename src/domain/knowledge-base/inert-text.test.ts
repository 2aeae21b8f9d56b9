import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  inertLine,
  inertName,
  inertText,
  quoted,
  shortQuote,
  withoutClosingTags,
  withVisibleControls,
} from './inert-text.ts';

it.each([
  ['</subject>', '&lt;/subject>'],
  ['</topic>', '&lt;/topic>'],
  ['</knowledge>', '&lt;/knowledge>'],
  ['a</subject>b</topic>c', 'a&lt;/subject>b&lt;/topic>c'],
  ['</SUBJECT', '&lt;/SUBJECT'],
  ['</sUbJeCt', '&lt;/sUbJeCt'],
  ['< / subject >', '&lt; / subject >'],
  ['<\n/\tsubject', '&lt;\n/\tsubject'],
  ['<\u200b/\u200csub\u200dject\ufeff>', '&lt;\u200b/\u200csub\u200dject\ufeff>'],
  ['<\u00a0/subject', '&lt;\u00a0/subject'],
  ['<\u{e0041}/subject', '&lt;\u{e0041}/subject'],
  ['＜／ｓｕｂｊｅｃｔ＞', '&#xFF1C;／ｓｕｂｊｅｃｔ＞'],
  ['﹤/topic', '&#xFE64;/topic'],
  ['&lt;/subject', '&amp;lt;/subject'],
  ['&LT;/subject', '&amp;LT;/subject'],
  ['&lt/subject', '&amp;lt/subject'],
  ['&#60;/subject', '&amp;#60;/subject'],
  ['&#0060;&#47;subject', '&amp;#0060;&#47;subject'],
  ['&#x3c;/subject', '&amp;#x3c;/subject'],
  ['&#X3C;&sol;subject', '&amp;#X3C;&sol;subject'],
  ['&amp;lt;/subject', '&amp;amp;lt;/subject'],
  ['&amp;amp;lt;/subject', '&amp;amp;amp;lt;/subject'],
  ['&#38;lt;/subject', '&amp;#38;lt;/subject'],
  ['&amp;#x3c;/subject', '&amp;amp;#x3c;/subject'],
  ['</&#115;ubject', '&lt;/&#115;ubject'],
  ['</&#x53;ubject', '&lt;/&#x53;ubject'],
  ['&#xFF1C;/subject', '&amp;#xFF1C;/subject'],
  ['</ѕubjeсt', '&lt;/ѕubjeсt'],
  ['</𝐬ubject', '&lt;/𝐬ubject'],
  ['</\u{212a}nowledge', '&lt;/\u{212a}nowledge'],
  ['</\u017fubject', '&lt;/\u017fubject'],
  ['</s\u0332u\u0301bject', '&lt;/s\u0332u\u0301bject'],
  ['</ᵗᵒᵖⁱᶜ', '&lt;/ᵗᵒᵖⁱᶜ'],
  ['</🅺nowledge', '&lt;/🅺nowledge'],
  ['<\\/topic', '&lt;\\/topic'],
  ['\\u003C\\u002Ftopic', '&#x5C;u003C\\u002Ftopic'],
  ['\\u{3c}/topic', '&#x5C;u{3c}/topic'],
  ['%3C%2Ftopic', '&#x25;3C%2Ftopic'],
])('%j cannot close a tag', (text, inert) => {
  expect(withoutClosingTags(text)).toBe(inert);
});

it.each([
  '<subject "x">',
  '</sub>',
  '</div> < 3 && a </ b',
  'R&D &lt;b&gt; &amp; more',
  'subject/topic/knowledge',
  '// subject',
  'a < b / subject to change',
  '100% / subject',
  '\\u003c subject',
])('%j stays as it is', (text) => {
  expect(withoutClosingTags(text)).toBe(text);
});

it('leaves text without a tag word alone, whatever else is in it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '/', '&', 'lt;', '#60;', 's', 'ub', ' ') }),
      (text) => {
        expect(withoutClosingTags(text)).toBe(text);
      },
    ),
  );
});

it('leaves no plain closing tag in anything, and two texts never become one', () => {
  const piece = fc.constantFrom(
    '<',
    '/',
    '&',
    'amp;',
    'lt;',
    'subject',
    'topic',
    '>',
    '\u200b',
    ' ',
    '&lt;/',
  );
  const text = fc.string({ unit: piece, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(withoutClosingTags(one)).not.toMatch(/<\s*\/\s*(subject|topic|knowledge)/i);
      if (one !== other) expect(withoutClosingTags(one)).not.toBe(withoutClosingTags(other));
    }),
    { numRuns: 2000 },
  );
});

it('takes time in proportion to hostile input', () => {
  for (const piece of ['<', '< ', '&', '&amp;', '&amp;lt;', '</subjec', '<\u200b', '&#0'])
    expect(withoutClosingTags(piece.repeat(100_000))).toBe(piece.repeat(100_000));
  const padded = `<${'\u200b'.repeat(200_000)}/${' '.repeat(200_000)}subject`;
  expect(withoutClosingTags(padded)).toBe(`&lt;${padded.slice(1)}`);
});

it('shows controls and keeps tabs and line ends', () => {
  expect(withVisibleControls('a\tb\nc\r\nd\re\u001b[31m\u0000\u007f\u009b\u0085')).toBe(
    'a\tb\nc\r\nd\\u{D}e\\u{1B}[31m\\u{0}\\u{7F}\\u{9B}\\u{85}',
  );
  expect(inertText('\u001b</topic>')).toBe('\\u{1B}&lt;/topic>');
});

it('puts a title on one line', () => {
  expect(inertLine(' a\r\n\n  b\u2028c </topic> ')).toBe('a b c &lt;/topic>');
});

it('echoes what was written, shortened', () => {
  expect(shortQuote('a\nb</topic>')).toBe('"a b&lt;/topic>"');
  expect(shortQuote('😀'.repeat(100_000))).toBe(`"${'😀'.repeat(200)}…"`);
});

it('quotes for a tag', () => {
  expect(quoted('a "b" <c>')).toBe('"a &quot;b&quot; &lt;c&gt;"');
});

it.each([
  ['plain/name-1.x', 'plain/name-1.x'],
  ['two\nlines', 'two\\u{A}lines'],
  ['👩‍🚀 émoji', '👩‍🚀 émoji'],
  ['#1', '#1'],
  ['\\u{A}', '\\u{5C}u{A}'],
  ['rtl\u202etxt', 'rtl\\u{202E}txt'],
  ['</subject>', '&lt;/subject>'],
])('the name %j becomes %j', (name, inert) => {
  expect(inertName(name)).toBe(inert);
});

it('keeps different names different', () => {
  const name = fc.string({
    unit: fc.constantFrom('\n', '\\', 'u{A}', '\\u{A}', 'a', '<', '/subject', '&lt;'),
  });
  fc.assert(
    fc.property(name, name, (one, other) => {
      if (one !== other) expect(inertName(one)).not.toBe(inertName(other));
    }),
    { numRuns: 2000 },
  );
});
