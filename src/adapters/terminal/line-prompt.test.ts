import fc from 'fast-check';
import { expect, it } from 'vitest';
import { separatePastes } from './line-prompt.ts';

function separated(pieces: readonly string[]) {
  const typed: string[] = [];
  const pasted: string[] = [];
  const separate = separatePastes({ typed: (text) => typed.push(text), pasted: (text) => pasted.push(text) });
  for (const piece of pieces) separate(piece);
  return { typed: typed.join(''), pasted };
}

it('separates pastes from keys, however the input is cut', () => {
  const text = 'a\u001b[A\u001b[200~one\r\ntwo\u001b[31m\u001b[201~b\u001b[200~\u001b[201~\u001b';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      // A terminal sends a sequence as a whole; an escape alone is the key.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the key itself.
      const possible = cuts.filter((cut) => !/(?:^a|A|b)\u001b$/.test(text.slice(0, cut)));
      const ends = [0, ...possible.sort((a, b) => a - b), text.length];
      const pieces = ends.slice(1).map((end, at) => text.slice(ends[at], end));
      expect(separated(pieces)).toEqual({ typed: 'a\u001b[Ab\u001b', pasted: ['one\ntwo\u001b[31m', ''] });
    }),
  );
});
