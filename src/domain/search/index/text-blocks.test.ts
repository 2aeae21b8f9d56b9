import { expect, it } from 'vitest';
import { textBlocks } from './text-blocks.ts';

const summary = (text: string) =>
  textBlocks(text).map(({ text: body, first, last, heading }) => `${heading}|${first}-${last}|${body}`);

it('cuts at blank lines and knows the headings above', () => {
  expect(summary('# A\n\none\ntwo\n\nthree\n\n## B\n\nfour\n')).toEqual([
    'A|3-4|one\ntwo',
    'A|6-6|three',
    'A › B|10-10|four',
  ]);
});

it('takes a heading over nothing for a block', () => {
  expect(summary('# Tea')).toEqual(['|1-1|# Tea']);
  expect(summary('# Numbers\n\n## Ada 555-1234\n## Bob 555-9876\n\n# Rest\n\ntext\n')).toEqual([
    'Numbers|3-3|## Ada 555-1234',
    'Numbers|4-4|## Bob 555-9876',
    'Rest|8-8|text',
  ]);
});

it('takes no heading twice: what stands below it has it', () => {
  expect(summary('# A\n\n## B\n\ntext\n\n### C\n\n# D\n')).toEqual([
    'A › B|5-5|text',
    'A › B|7-7|### C',
    '|9-9|# D',
  ]);
});

it('sees headings whatever ends a line', () => {
  expect(summary('# A\r\n\r\n## B \r\n\r\ntext\r\n')).toEqual(['A › B|5-5|text\r']);
});

it('sees no heading in a fence', () => {
  expect(summary('~~~\n# no heading\n\n# nor this\n~~~\n')).toEqual([
    '|1-5|~~~\n# no heading\n\n# nor this\n~~~',
  ]);
});
