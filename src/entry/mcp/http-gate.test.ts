import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalOf } from './http-gate.ts';

const GATE = { port: 4711, token: 'a1b2c3' };
const RIGHT = { host: 'localhost:4711', authorization: 'Bearer a1b2c3' };

it('lets in who knows the token', () => {
  expect(refusalOf({ url: '/mcp', headers: RIGHT }, GATE)).toBeUndefined();
});

it('takes no other token, host or origin', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(text !== GATE.token);
      expect(
        refusalOf({ url: '/mcp', headers: { ...RIGHT, authorization: `Bearer ${text}` } }, GATE)?.status,
      ).toBe(401);
      expect(refusalOf({ url: '/mcp', headers: { ...RIGHT, host: text } }, GATE)?.status).toBe(403);
      expect(refusalOf({ url: '/mcp', headers: { ...RIGHT, origin: text } }, GATE)?.status).toBe(403);
    }),
  );
});
