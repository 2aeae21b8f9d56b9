import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fenced } from './event-text.ts';

it('cannot be closed from inside', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n', ' ') }), (text) => {
      const [first = '', ...rest] = fenced(text, 'x').split('\n');
      const fence = first.slice(0, -1);
      expect(rest.findIndex((line) => line.trim().startsWith(fence))).toBe(rest.length - 1);
    }),
  );
});
