import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretMask } from './secrets.ts';

const SECRET = 'pa$$ "wörd"/+1';
const bytesOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
const percent = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

it.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET)],
  ['as base64', btoa(bytesOf(SECRET))],
  ['as base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['as a form', new URLSearchParams({ a: SECRET }).toString()],
  ['percent-encoded whole', percent(SECRET)],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['in hexadecimal, in capitals', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['percent-encoded whole, in capitals', percent(SECRET).toUpperCase()],
])('masks a secret %s', (_, text) => {
  const masked = secretMask(['other', SECRET])(`a ${text} b`);
  expect(masked).toMatch(/^a .*\[secret\].* b$/);
  expect(masked).not.toMatch(/w(?:ö|%c3%b6)rd/i);
});

it.each(['', 'u', 'us', 'user:'])('masks a secret inside of longer base64, behind %j', (before) => {
  const masked = secretMask(['a-long-secret'])(btoa(`${before}a-long-secret${before}`));
  expect(masked).toContain('[secret]');
  expect(atob(masked.replace(/\[secret\].*/, '').replace(/.{0,3}$/, ''))).not.toContain('long');
});

it('masks the beginning of a secret at which a text was cut', () => {
  const mask = secretMask(['a-long-secret']);
  expect([mask('printed a-long-s'), mask('printed a-l')]).toEqual(['printed [secret]', 'printed a-l']);
});

it('masks the beginning of a secret that was cut in the middle of a character', () => {
  const bytes = Buffer.from('printed geheim-größer');
  const cut = bytes.subarray(0, bytes.indexOf('ß') + 1).toString();
  expect(cut).toMatch(/gr.*\ufffd$/);
  expect(secretMask(['geheim-größer'])(cut)).toBe('printed [secret]');
});

it('leaves a text without secrets as it is, and masks each of several', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ minLength: 6, unit: 'binary' }),
      (text, secret) => {
        const mask = secretMask([secret, 'second secret', '']);
        expect(mask(`${text}${secret}; second secret.`)).not.toContain(secret);
        fc.pre(!mask(text).includes('[secret]'));
        expect(mask(text)).toBe(text);
      },
    ),
  );
});

it('masks a secret behind what looks like its beginning', () => {
  expect(secretMask(['ababX'])('ababab%58ab%61babX')).toBe('ab[secret]ab[secret]');
});

it.each([
  ['100% 😀abcY 😀abcX', '100% 😀abcY [secret]'],
  ['%F0%9F%98%80abcY %F0%9f%98%80abcX', '%F0%9F%98%80abcY [secret]'],
])('goes on behind what looks like the beginning of a secret, where that is an emoji: %s', (text, masked) => {
  expect(secretMask(['😀abcX'])(text)).toBe(masked);
});

it('masks a secret of which any characters are percent-encoded, wherever it stands', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '+', ' ', 'ö', '日', '😀'),
    maxLength: 8,
  });
  const secret = letters.filter((text) => text.length >= 3);
  fc.assert(
    fc.property(
      letters,
      secret,
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      (around, value, encoded) => {
        const mixed = Array.from(value, (character, at) =>
          encoded[at] ? percent(character) : character,
        ).join('');
        const masked = secretMask([value])(`${around}${mixed}${around}`);
        expect(masked).toContain('[secret]');
        expect(decodeURIComponent(masked)).not.toContain(value);
      },
    ),
  );
});

it('masks a secret that is as long as one may be', () => {
  const secret = Array.from({ length: 65_536 }, (_, at) => String.fromCharCode(33 + ((at * 7) % 90))).join(
    '',
  );
  const mask = secretMask([secret]);
  expect([secret, percent(secret), `cut ${secret.slice(0, 40_000)}`].map(mask)).toEqual([
    '[secret]',
    '[secret]',
    'cut [secret]',
  ]);
});

it.each([40, 3000])('takes no time for many short texts, with a secret of %i characters', (length) => {
  const mask = secretMask([
    Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7) % 90))).join(''),
  ]);
  const before = process.threadCpuUsage();
  for (let at = 0; at < 200_000; at++) mask(`text ${at}`);
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
});
