import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../base/terminal-text.ts';
import { type Column, itemTable, table, tablePrinter } from './table.ts';

const COLUMNS: Column[] = [
  { title: 'topic' },
  { title: 'title', flexible: true },
  { title: 'files', align: 'right' },
  { title: 'state' },
];
const ROWS = [
  ['tea', 'Tea, coffee and what to do about them', '12', 'fresh'],
  ['日本', '日本の茶道とその歴史についての覚え書き', '3', ''],
  ['e', '', '1204', 'stale'],
];
const terminal = (columns: number, color = false) => ({ isTerminal: true, columns, color });
const pipe = { isTerminal: false, columns: 80, color: false };
const lines = (...all: string[]) => all.join('\n');

it('aligns, wide characters included, and ends no line with spaces', () => {
  expect(table(terminal(80), COLUMNS, ROWS)).toBe(
    lines(
      'topic  title                                   files  state',
      'tea    Tea, coffee and what to do about them      12  fresh',
      '日本   日本の茶道とその歴史についての覚え書き      3',
      'e                                               1204  stale',
    ),
  );
});

it('cuts the flexible column to the width of the terminal', () => {
  expect(table(terminal(40), COLUMNS, ROWS)).toBe(
    lines(
      'topic  title                files  state',
      'tea    Tea, coffee and wh…     12  fresh',
      '日本   日本の茶道とその歴…      3',
      'e                            1204  stale',
    ),
  );
});

it('shows rows as blocks where columns would say nothing', () => {
  expect(table(terminal(20), COLUMNS, ROWS)).toBe(
    lines(
      'tea',
      '  title: Tea, coffee',
      '  and what to do',
      '  about them',
      '  files: 12',
      '  state: fresh',
      '日本',
      '  title: 日本の茶道',
      '  とその歴史について',
      '  の覚え書き',
      '  files: 3',
      'e',
      '  files: 1204',
      '  state: stale',
    ),
  );
});

it('cuts nothing in a pipe', () => {
  const long = 'x'.repeat(200);
  expect(table(pipe, COLUMNS, [['a', long, '1', 'b']])).toBe(
    lines(`topic  title${' '.repeat(195)}  files  state`, `a      ${long}      1  b`),
  );
});

it('keeps a row one line and inert', () => {
  const evil = 'a\nb\tc\r\u001b[2J\u202e';
  expect(table(pipe, [{ title: 'x' }], [[evil]])).toBe('x\na b c \\u{1B}[2J\\u{202E}');
  expect(table(terminal(80), [{ title: 'x' }], [[evil]])).toBe('x\na b c \\u{1B}[2J\\u{202E}');
});

it('makes a row of each item, however many', () => {
  const items = Array.from({ length: 3000 }, (_, at) => at);
  const columns = [
    { title: 'NO', width: 4, cell: (item: number) => String(item).padStart(4, '0') },
    { title: 'HALF', align: 'right' as const, cell: (item: number) => (item % 2 ? '' : String(item / 2)) },
    { title: 'TEXT', flexible: true, cell: (item: number) => (item % 3 ? 'x\ty' : '') },
  ];
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const expected = table(
    pipe,
    columns.map(({ title, align }) => ({ title, ...(align && { align }) })),
    rows,
  );
  expect(itemTable(pipe, columns, items)).toBe(expected);
  expect(expected.split('\n').slice(0, 5)).toEqual([
    'NO    HALF  TEXT',
    '0000     0',
    '0001        x y',
    '0002     1  x y',
    '0003',
  ]);
});

it('is nothing without rows', () => {
  expect(table(terminal(80), COLUMNS, [])).toBe('');
});

it('styles the text and not the padding', () => {
  const rows = [
    ['one', { text: 'ok', style: 'green' as const }],
    [{ text: 'longer', style: 'red' as const }, ''],
  ];
  const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
  expect(table(terminal(80, true), [{ title: 'a' }, { title: 'b' }], rows)).toBe(
    lines(`${bold('a')}       ${bold('b')}`, 'one     \u001b[32mok\u001b[39m', '\u001b[31mlonger\u001b[39m'),
  );
});

it('fits the terminal, whatever it holds, as long as words do', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 40 });
  const room = fc.integer({ min: 20, max: 100 });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), room, (rows, width) => {
      const columns = ['a', 'b', 'c'].map((title) => ({ title, flexible: true }));
      const shown = table(terminal(width), columns, rows);
      const tooWide = shown.split('\n').filter((line) => displayWidth(line) > width);
      expect(
        tooWide.filter((line) =>
          line
            .trim()
            .replace(/^[abc]: /, '')
            .includes(' '),
        ),
      ).toEqual([]);
    }),
  );
});

describe('page by page', () => {
  const columns = [
    { title: 'id', cell: ({ id }: { id: string }) => id },
    { title: 'what', cell: ({ id }: { id: string }) => `is ${id}` },
  ];
  const printed = (place: typeof pipe, ...pages: (readonly string[])[]) => {
    const texts: string[] = [];
    const print = tablePrinter({ ...place, printStyled: (text: string) => texts.push(text) }, columns);
    for (const ids of pages) print(ids.map((id) => ({ id })));
    return texts.join('\n');
  };

  it('prints the titles once, and columns never become narrower', () => {
    expect(printed(pipe, ['aaaa'], ['b'], ['cccccc'], ['d'])).toBe(
      'id    what\naaaa  is aaaa\nb     is b\ncccccc  is cccccc\nd       is d',
    );
  });

  it('prints blocks where the columns do not fit', () => {
    expect(printed(terminal(9), ['aaaa'], ['b'])).toBe('aaaa\n  what:\n  is aaaa\nb\n  what:\n  is b');
  });
});
