import net from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameIpAddress, parseIpAddress } from './ip-address.ts';

it.each([
  ['1.2.3.4', [1, 2, 3, 4]],
  ['::', Array(16).fill(0)],
  ['::1', [...Array(15).fill(0), 1]],
  ['::ffff:1.2.3.4', [...Array(10).fill(0), 255, 255, 1, 2, 3, 4]],
  ['2001:db8::a', [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 0xa]],
  ['fe80::1%eth0', [0xfe, 0x80, ...Array(13).fill(0), 1]],
  ['1:2:3:4:5:6:7::', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
])('reads %s', (text, bytes) => {
  expect(parseIpAddress(text)).toEqual(bytes);
});

it.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '0x7f.0.0.1',
  '256.1.1.1',
  '1.2.3.4 ',
  ':',
  ':::',
  '1::2::3',
  '12345::',
  '::1.2.3',
  '1.2.3.4::',
  '1:2:3:4:5:6:7:8:9',
  '::1%a%b',
  'localhost',
])('does not read %j', (text) => {
  expect(parseIpAddress(text)).toBeUndefined();
});

const near = fc.stringMatching(/^[0-9a-f:.]{1,24}$/);

it('reads exactly what Node takes for an address', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), near);
  fc.assert(
    fc.property(text, (text) => {
      expect(parseIpAddress(text) !== undefined).toBe(net.isIP(text) !== 0);
    }),
    { numRuns: 2000 },
  );
});

it('gives two spellings of one address the same bytes', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
      expect(isSameIpAddress(parseIpAddress(text) ?? [], parseIpAddress(canonical) ?? [1])).toBe(true);
    }),
  );
});
