import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aboutDataFences, dataFence } from './data-fence.ts';

const ID = '5e4d3c2b1a0f5e4d3c2b1a0f5e4d3c2b';

it('puts a text between two lines that carry the id', () => {
  expect(dataFence(ID, 'a\n\n')).toBe(`<<<data ${ID}\na\n${ID} data>>>`);
  expect(aboutDataFences(ID)).toContain(ID);
});

it('is closed by nothing inside, and lets nothing inside control or hide', () => {
  const piece = fc.constantFrom(
    ...['<<<data ', ID, ' data>>>', '\n', '\u001b[2J', '\u202e', '\u200b', '\r', '```', '\u{e0041}', 'text'],
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const lines = dataFence(ID, pieces.join('')).split('\n');
      const marked = lines.flatMap((line, at) => (line.includes(ID) ? [at] : []));
      expect(marked).toEqual([0, lines.length - 1]);
      const hidden = ['\u001b', '\u202e', '\u200b', '\r', '\u{e0041}'];
      expect(hidden.filter((each) => lines.join('').includes(each))).toEqual([]);
    }),
  );
});
