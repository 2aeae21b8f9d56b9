import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sizedScreen } from '../../../../test/cli/sized-screen.ts';
import { scaled } from '../../../../test/scale.ts';
import { liveArea } from './live-area.ts';
import { renderMarkdown } from './markdown.ts';
import { completeInline, liveMarkdown } from './markdown-live.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Streams the pieces, each of which is drawn, and answers all rows. `after` sees the screen after each piece. */
async function streamed(
  pieces: readonly string[],
  { columns, rows }: Size,
  after: (shown: readonly string[], written: string) => void = () => {},
) {
  const screen = sizedScreen({ columns, rows });
  let written = '';
  const area = liveArea({
    columns: () => columns,
    rows: () => rows,
    write: (text) => {
      written += text;
      screen.write(text);
    },
  });
  const printer = await liveMarkdown({ columns, color: true, hyperlinks: false }, area, 0);
  for (const piece of pieces) {
    written = '';
    printer.write(piece);
    after(screen.rows(), written);
  }
  printer.end();
  return screen.rows();
}

async function whole(text: string, columns: number): Promise<readonly string[]> {
  const screen = sizedScreen({ columns, rows: 10_000 });
  screen.write(await renderMarkdown(text, { columns, color: true, hyperlinks: false }));
  return screen.rows();
}

const inTokens = (text: string) => text.match(/\s*\S{1,4}|\s+/gu) ?? [];
const lettersOf = (rows: readonly string[]) => rows.join('').replace(/[^\p{L}\p{N}]/gu, '');
/** Rows of a table that kept its widths wrap, so their words come in another order. */
const bagOf = (rows: readonly string[]) => [...lettersOf(rows)].sort().join('');

const TABLE = `| name | what |\n|---|--:|\n${Array.from({ length: 12 }, (_, at) => `| row ${at} | ${'x'.repeat(at * 2)} |`).join('\n')}\n`;
const BLOCKS = [
  'Some **bold words** and *slanted ones*, `code` and a [link](https://example.org/a/long/path) in a paragraph.',
  '# A heading\nText right below it\n\nTitle\n---\n',
  '- one\n- **two** and more words that go on and on\n  1. nested\n  2. items\n- three',
  '日本の茶道とその歴史についての長い覚え書き、そして **続き** です。',
  '```ts\nconst answer = "a line that is longer than twenty columns";\n\treturn answer;\n```',
  '> a quote with `code`\n> - and a list',
  TABLE,
  'Family \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} and flags \u{1f1ef}\u{1f1f5}\u{1f1e9}\u{1f1ea} *end',
  '2 * 3 * 4, snake_case_name, **never closed',
  '[a]: https://example.org\n\nsee [a] and ~~gone~~',
  '***\n\n<div>\nhtml\n</div>',
];
const TEXT = BLOCKS.map((block) => `${block}\n`).join('\n');

it.each([20, 80, 200])('ends as the rendering of the whole at %i columns', async (columns) => {
  expect(await streamed(inTokens(TEXT), { columns, rows: 500 })).toEqual(await whole(TEXT, columns));
});

it.each([20, 80, 200])(
  'shows every word once where the text is longer than the screen, at %i columns',
  async (columns) => {
    const rows = await streamed(inTokens(TEXT), { columns, rows: 6 });
    expect(bagOf(rows)).toBe(bagOf(await whole(TEXT, columns)));
  },
);

it('does not depend on how the text is cut, nor on the size of the screen', async () => {
  const text = fc
    .array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 4 })
    .map((all) => all.join('\n\n'));
  const cuts = fc.array(fc.nat(400), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      text,
      cuts,
      fc.constantFrom(20, 37, 80),
      fc.constantFrom(5, 300),
      async (all, at, columns, rows) => {
        const ends = [0, ...at.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
        const pieces = ends.slice(1).map((end, index) => all.slice(ends[index], end));
        const shown = await streamed(pieces, { columns, rows });
        const expected = await whole(all, columns);
        if (rows === 300) expect(shown).toEqual(expected);
        else expect(bagOf(shown)).toBe(bagOf(expected));
      },
    ),
    { numRuns: scaled(60) },
  );
});

it('shows each word, styled, with the piece that brings it', async () => {
  const seen: string[] = [];
  const outputs: string[] = [];
  await streamed(
    ['A **bold', ' word', '** and', ' `co', 'de'],
    { columns: 40, rows: 10 },
    (rows, written) => {
      seen.push(rows.at(-1) ?? '');
      outputs.push(written);
    },
  );
  expect(seen).toEqual([
    'A bold',
    'A bold word',
    'A bold word and',
    'A bold word and co',
    'A bold word and code',
  ]);
  expect(outputs[1]).toBe('\rA \u001b[1mbold word\u001b[22m\u001b[K');
});

it('rewrites only the rows that change, and clears none that stays', async () => {
  const outputs: string[] = [];
  const text = ['one two three four five six seven', ' eight', ' nine', '\n===', '\n'];
  await streamed(text, { columns: 20, rows: 10 }, (_, written) => outputs.push(written));
  expect(outputs.slice(0, 4)).toEqual([
    'one two three four\u001b[K\nfive six seven\u001b[K',
    '\rfive six seven eight',
    '\nnine\u001b[K',
    '',
  ]);
  expect(outputs[4]).toContain('\u001b[2A\r');
});

it('keeps the widths of a table whose first rows left the screen', async () => {
  const rows = await streamed(inTokens(TABLE), { columns: 40, rows: 5 });
  expect(rows.filter((row) => row.startsWith('row'))).toHaveLength(12);
  expect(new Set(rows.filter((row) => row.includes('─')))).toHaveLength(1);
});

it('continues below what was drawn at another width', async () => {
  const screen = sizedScreen({ columns: 40, rows: 20 });
  const size = { columns: 40 };
  const area = liveArea({ columns: () => size.columns, rows: () => 20, write: screen.write });
  const options = {
    color: false,
    hyperlinks: false,
    get columns() {
      return size.columns;
    },
  };
  const printer = await liveMarkdown(options, area, 0);
  printer.write('one two three four five six');
  size.columns = 20;
  screen.resize(20);
  printer.write(' seven eight nine');
  printer.end();
  expect(lettersOf(screen.rows())).toBe('onetwothreefourfivesixseveneightnine');
});

it.each(['word', 'word\n\n'])('writes over the echo of Ctrl-C after %j', async (text) => {
  const screen = sizedScreen({ columns: 40, rows: 10 });
  const area = liveArea({ columns: () => 40, rows: () => 10, write: screen.write });
  area.update([], text.split('\n'));
  screen.write('^C');
  area.distrustLastRow();
  area.update([], [...text.split('\n'), '|']);
  expect(screen.rows()).toEqual([...text.split('\n'), '|']);
});

it.each([
  ['a **b', 'a **b**\n'],
  ['a **b*', 'a **b**\n'],
  ['a **b** c', 'a **b** c\n'],
  ['a `b', 'a `b`\n'],
  ['a `b` *c `d*`', 'a `b` *c `d*`*\n'],
  ['see [a](http://x', 'see [a](http://x)\n'],
  ['2 * 3', '2 * 3\n'],
  ['2*3', '2*3\n'],
  ['snake_case', 'snake_case\n'],
  ['- **a\n- **b', '- **a\n- **b**\n'],
  ['a **b ~~c', 'a **b ~~c~~**\n'],
  ['\\*a', '\\*a\n'],
  ['**', '\n'],
])('completes %j', (text, expected) => {
  expect(completeInline(`${text}\n`)).toBe(expected);
});
