import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditTexts } from './audit-texts.ts';
import { equalRows } from './near-duplicates.ts';
import { memoryScratch } from './scratch.ts';

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const texts = fc.uniqueArray(word, { minLength: 120, maxLength: 120 });

async function duplicatesAmong(given: readonly string[]): Promise<string[]> {
  const pages = async function* () {
    for (const [at, text] of given.entries()) yield [{ id: String(at), text, mergeKey: undefined }];
  };
  const found: string[] = [];
  await auditTexts(memoryScratch, pages, ({ kind, ids }) => found.push(`${kind} ${ids.join(' ')}`));
  return found;
}

it('finds a text again whose last word was changed, and not one of other words', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (words) => {
      const [text, other] = [words.slice(0, 60), words.slice(60)];
      const changed = [...text.slice(0, -1), 'different'];
      const found = await duplicatesAmong([text.join(' '), other.join(' '), changed.join(' ')]);
      expect(found).toEqual(['near_duplicate 0 2']);
    }),
  );
});

it('tells a crowd of equals by a chain, and nothing of what is unlike or empty', async () => {
  expect(await duplicatesAmong(['Tea at four.', 'TEA at four', 'tea, at: four!'])).toEqual([
    'near_duplicate 0 1',
    'near_duplicate 1 2',
  ]);
  expect(await duplicatesAmong(['Tea at four.', 'Coffee at nine.', '', '…'])).toEqual([]);
});

it('finds rows with an equal key, and none without a key', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), (keys) => {
      const expected = [...Map.groupBy(keys.keys(), (row) => keys[row] ?? 0)]
        .filter(([key, rows]) => key !== 0 && rows.length > 1)
        .sort(([a], [b]) => a - b)
        .map(([, rows]) => rows);
      const room = new Uint32Array(keys.length * 2);
      expect([...equalRows(Uint32Array.from(keys), room)].map((rows) => [...rows])).toEqual(expected);
    }),
  );
});
