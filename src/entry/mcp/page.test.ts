import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints } from '../../base/text.ts';
import { pageOf } from './page.ts';

const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer().map(String));
/** Several pages of them. */
const names = fc.uniqueArray(name, { minLength: 250, maxLength: 350, size: 'max' });
const self = (name: string) => name;

it('gives every item once, in order, whatever was taken away between the pages', () => {
  fc.assert(
    fc.property(names, fc.func(fc.boolean()), (all, isTaken) => {
      const seen: string[] = [];
      let pages = 0;
      let left: readonly string[] = all;
      let cursor: string | undefined;
      do {
        const page = pageOf(left, self, cursor);
        seen.push(...page.items);
        pages += 1;
        cursor = page.nextCursor;
        left = left.filter((name) => !isTaken(name));
      } while (cursor !== undefined);
      expect(pages).toBeGreaterThan(1);
      expect(seen).toEqual(seen.toSorted(compareCodePoints));
      expect(new Set(seen).size).toBe(seen.length);
      expect(left.filter((name) => !seen.includes(name))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

it.each(['', 'x', 'bm9uc2Vuc2U', '🫖'])('refuses the cursor %j, which it did not give', (cursor) => {
  expect(() => pageOf([], self, cursor)).toThrow('The cursor is not one that this server gave.');
});
