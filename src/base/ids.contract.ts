import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IdSource } from './ids.ts';
import { compareCodePoints } from './text.ts';

/** The promises of every source of ids. */
export function itMakesIds(name: string, open: () => IdSource): void {
  it(`${name}: ULIDs are 26 characters of Crockford's alphabet, each greater than the one before`, () => {
    const ids = open();
    const made = Array.from({ length: 2000 }, () => ids.ulid());
    for (const id of made) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect([...new Set(made)].sort(compareCodePoints)).toEqual(made);
  });

  it(`${name}: a token has two hexadecimal digits a byte`, () => {
    const ids = open();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 64 }), (bytes) => {
        expect(ids.token(bytes)).toMatch(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
      }),
    );
  });

  it(`${name}: tokens do not repeat`, () => {
    const ids = open();
    const made = Array.from({ length: 1000 }, () => ids.token(16));
    expect(new Set(made).size).toBe(made.length);
  });
}
