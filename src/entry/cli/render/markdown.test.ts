import fc from 'fast-check';
import { Lexer } from 'marked';
import { expect, it } from 'vitest';
import { displayWidth, neutralise } from '../../../base/terminal-text.ts';
import { styler } from '../terminal-abilities.ts';
import { type MarkdownOptions, markdownPrinter, renderMarkdown } from './markdown.ts';
import { chunkPrinter } from './markdown-printer.ts';

const PLAIN: MarkdownOptions = { columns: 40, color: false, hyperlinks: false };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

it.each([
  ['headings', '# One *two*\ntext\n### Three ###\n', lines('# One two', '', 'text', '', '### Three')],
  ['setext headings', 'One\n===\nTwo\n---\n', lines('# One', '', '## Two')],
  ['emphasis', 'a *b* **c** ~~d~~ `e` \\*f\\*\n', lines('a b c ~~d~~ `e` *f*')],
  ['wrapping', `${'word '.repeat(12)}\n`, lines(`${'word '.repeat(8).trim()}`, 'word word word word')],
  ['line breaks', 'a  \nb\\\nc\nd\n', lines('a', 'b', 'c d')],
  ['bullets', 'x:\n* a\n* b\n  c\n', lines('x:', '', '- a', '- b c')],
  ['loose bullets', '- a\n\n- b\n- c\n', lines('- a', '', '- b', '- c')],
  [
    'nested lists',
    '- a\n  1. b\n     - c\n  2. d\n- e\n',
    lines('- a', '  1. b', '     - c', '  2. d', '- e'),
  ],
  ['numbers', '3. a\n3. b\n7. c\n', lines('3. a', '4. b', '5. c')],
  ['numbers with brackets', '1) a\n2) b\n', lines('1) a', '2) b')],
  ['two lists', '- a\n+ b\n', lines('- a', '', '- b')],
  ['tasks', '- [x] a\n- [ ] b\n', lines('- [x] a', '- [ ] b')],
  ['wrapped items', `- ${'word '.repeat(9)}\n`, lines(`- ${'word '.repeat(7).trim()}`, '  word word')],
  [
    'code in an item',
    '1. a\n   ```sh\n   ls\n\n   pwd\n   ```\n2. b\n',
    lines('1. a', '   ```sh', '   ls', '', '   pwd', '   ```', '2. b'),
  ],
  [
    'code',
    'a:\n```ts strict\n\tlet x = 1;   // a line that is much longer than forty columns\n\n```\nb\n',
    lines(
      'a:',
      '',
      '```ts strict',
      '\tlet x = 1;   // a line that is much longer than forty columns',
      '',
      '```',
      '',
      'b',
    ),
  ],
  ['code inside longer fences', '````\n```\n````\n', lines('````', '```', '````')],
  ['code that never ends', '~~~\na\n\nb', lines('~~~', 'a', '', 'b', '~~~')],
  ['indented code', '    a\n\n\n      b\n\nc\n', lines('    a', '', '', '      b', '', 'c')],
  ['quotes', '> a\n> b\n>\n> > c\n', lines('│ a b', '│', '│ │ c')],
  ['rules', 'a\n\n***\nb\n', lines('a', '', '─'.repeat(40), '', 'b')],
  [
    'HTML',
    '<div onclick="x">\n*a*\n</div>\n\nb <b>c</b>\n',
    lines('<div onclick="x">', '*a*', '</div>', '', 'b <b>c</b>'),
  ],
  [
    'entities',
    '&lt;a&gt; &amp;amp; &hellip; &#65; &nosuch; &#27;[2J\n',
    lines('<a> &amp; … A &nosuch; \\u{1B}[2J'),
  ],
  ['links', '[a](http://x.y) <http://z> [c](d.md "t")\n', lines('a (http://x.y) http://z c (d.md)')],
  ['links that lie', '[http://good](http://bad)\n', lines('http://good (http://bad)')],
  ['images', '![a](b.png)\n', lines('image: a (b.png)')],
  [
    'definitions',
    '[a]: http://x\n[b]: http://y\n\nsee [a]\n',
    lines('[a]: http://x', '[b]: http://y', '', 'see a (http://x)'),
  ],
  [
    'tables',
    '| a | b |\n|---|--:|\n| 日本 | *x* |\n| c | 100 |\n',
    lines('a       b', '────  ───', '日本    x', 'c     100'),
  ],
  [
    'wide tables',
    '| name | what |\n|---|---|\n| tea | a drink that is made from leaves and hot water |\n',
    lines(
      'name  what',
      '────  ──────────────────────────────────',
      'tea   a drink that is made from leaves',
      '      and hot water',
    ),
  ],
  ['nothing', '\n \n\n', ''],
])('shows %s', async (_, text, shown) => {
  expect(await renderMarkdown(text, PLAIN)).toBe(shown);
});

it('shows a table as values where the terminal is too narrow', async () => {
  const text = '| first | second | third |\n|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb cc | dddddddddd |\n';
  expect(await renderMarkdown(text, { ...PLAIN, columns: 20 })).toBe(
    lines(
      '- first',
      '  second',
      '  third',
      '- first: aaaaaaaaaa',
      '  second: bbbbbbbbbb',
      '  cc',
      '  third: dddddddddd',
    ),
  );
});

it('styles, and links only what is safe to click', async () => {
  const text = '# A\n**b *c*** `d` [e](https://x/ö;\u0007) [https://y](https://z) [f](javascript:1)\n\n> q\n';
  expect(await renderMarkdown(text, { columns: 200, color: true, hyperlinks: true })).toBe(
    lines(
      '\u001b[1m# \u001b[22m\u001b[1m\u001b[4mA\u001b[24m\u001b[22m',
      '',
      '\u001b[1mb \u001b[22m\u001b[1m\u001b[3mc\u001b[23m\u001b[22m \u001b[36md\u001b[39m ' +
        '\u001b]8;;https://x/%C3%B6;\\u{7}\u001b\\e\u001b]8;;\u001b\\ ' +
        'https://y\u001b]8;;https://z\u001b\\\u001b[2m (https://z)\u001b[22m\u001b]8;;\u001b\\ ' +
        'f\u001b[2m (javascript:1)\u001b[22m',
      '',
      '\u001b[2m│\u001b[22m q',
    ),
  );
});

it('prints what is finished, and no sooner', async () => {
  let shown = '';
  const printer = await markdownPrinter(PLAIN, (text) => {
    shown += text;
  });
  const after = (piece: string) => {
    shown = '';
    printer.write(piece);
    return shown;
  };
  expect(after('Hello wo')).toBe('');
  expect(after('rld\n')).toBe('');
  expect(after('\n- a')).toBe('Hello world\n');
  expect(after('\n- b')).toBe('');
  expect(after('\n')).toBe('\n- a\n');
  expect(after('```j')).toBe('');
  expect(after('s\nlet a;\nle')).toBe('- b\n\n```js\nlet a;\n');
  expect(after('t b;\n```\n# T\n')).toBe('let b;\n```\n\n# T\n');
  expect(after('end')).toBe('');
  shown = '';
  printer.end();
  expect(shown).toBe('\nend\n');
});

const LINES = [
  '# H', 'text', 'more *text* here', '- a', '- b', '  - c', '  cont', '* d', '1. x', '2. y', '7) z', '   in', '```js',
  '```', '  ```', '~~~', 'x = 1', '> q', '> - l', '>', '| a | b |', '|--|--|', '| 1 | 2 |', '---', '===', '***',
  '<div>', '</div>', '<!-- c', '-->', '<pre>', '</pre>', '    code', '\tcode', '', '', '', '- [ ] t', '-', '1.',
  '- - n', '[a](b)', 'a  ', '日本語 🏽', '\u001b[31m', '\r', '&#27;', '[a]: b', '[a]',
]; // biome-ignore format: one line each

/** Anything, with Markdown's own characters frequent. */
const markdown = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...LINES) },
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    {
      maxLength: 15,
    },
  )
  .map((all) => all.join('\n'));

it('shows the same however the text was cut', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(markdown, cuts, async (text, places) => {
      const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
      let shown = '';
      const printer = await markdownPrinter(PLAIN, (part) => {
        shown += part;
      });
      let from = 0;
      for (const to of [...at, text.length]) {
        printer.write(text.slice(from, to));
        from = to;
      }
      printer.end();
      expect(shown).toBe(await renderMarkdown(text, PLAIN));
    }),
    { numRuns: 500 },
  );
});

it('lets nothing unsafe through', async () => {
  await fc.assert(
    fc.asyncProperty(markdown, async (text) => {
      const shown = await renderMarkdown(text, PLAIN);
      expect(neutralise(shown)).toBe(shown);
    }),
  );
});

const inline = fc.constantFrom('plain words', '*a* and `b`', '[link](http://x)', '**日本**', 'a\nb');
const item = (bullet: string) => inline.map((text) => `${bullet} ${text.replaceAll('\n', '\n   ')}`);
const block = fc.oneof(
  inline,
  inline.map((text) => `## ${text.replaceAll('\n', ' ')}`),
  fc
    .tuple(fc.constantFrom('-', '*', '1.'), fc.constantFrom('\n', '\n\n'), fc.nat(3))
    .chain(([bullet, gap, more]) =>
      fc.array(item(bullet), { minLength: 1, maxLength: more + 1 }).map((items) => items.join(gap)),
    ),
  fc.constantFrom('- a\n  - b\n\n  c\n- d', '1. a\n   ```\n   x\n\n   y\n   ```\n2. b'),
  fc.constantFrom('```js\na\n\n# b\n```', '~~~\n- a\n~~~', '    code\n\n\n    more'),
  fc.constantFrom(
    '> a\n> - b',
    '1.\ntext\n-',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '***',
    '<div>\n- a\n</div>',
    '<!--\n\n- a\n-->',
  ),
);

it('understands well-formed text in pieces as the lexer does as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 6 }), async (blocks) => {
      const text = blocks.map((each) => `${each}\n`).join('\n');
      let whole = '';
      const printer = chunkPrinter({ ...PLAIN, style: styler(false) }, Lexer, (part) => {
        whole += part;
      });
      printer.print({ kind: 'blocks', text });
      expect(await renderMarkdown(text, PLAIN)).toBe(whole);
    }),
    { numRuns: 500 },
  );
});

it('keeps to the width where words allow', async () => {
  const text = fc.array(
    fc.constantFrom('- a word', '> b word', '  - deeper word', '日本語', '# c d', '1. e f'),
    {
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 20, max: 60 }), async (all, columns) => {
      const shown = await renderMarkdown(`${all.join(' more and more words ')}\n`, { ...PLAIN, columns });
      for (const line of shown.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});

it.each([
  ['emphasis', '_a*'.repeat(20_000)],
  ['quotes', '>'.repeat(50_000)],
  ['brackets', '['.repeat(50_000)],
  ['addresses', `${'a.b-c_d+'.repeat(5000)}@`],
])('shows %s that would keep the lexer busy as they are', async (_, text) => {
  expect(await renderMarkdown(text, PLAIN)).toBe(`${text}\n`);
});
