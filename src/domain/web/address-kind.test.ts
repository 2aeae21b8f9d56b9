import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressIn, isRefused, REFUSED_RANGES } from '../../../test/web/refused-ranges.ts';
import { addressKind } from './address-kind.ts';
import { parseIpAddress } from './ip-address.ts';

const kindOf = (text: string) => addressKind(parseIpAddress(text) ?? []);

it.each([
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'shared (CGNAT)'],
  ['100.127.255.255', 'shared (CGNAT)'],
  ['100.100.100.200', 'cloud metadata'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'cloud metadata'],
  ['169.254.1.1', 'link-local'],
  ['169.254.169.254', 'cloud metadata'],
  ['169.254.170.2', 'cloud metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.8', 'reserved'],
  ['192.0.0.192', 'cloud metadata'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', 'reserved'],
  ['192.168.1.1', 'private'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::2', 'reserved'],
  ['::127.0.0.1', 'reserved'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:169.254.169.254', 'cloud metadata'],
  ['::ffff:0:10.0.0.1', 'private'],
  ['::ffff:0:8.8.8.8', 'reserved'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::169.254.169.254', 'cloud metadata'],
  ['64:ff9b:1::8.8.8.8', 'reserved'],
  ['100::1', 'reserved'],
  ['2001::1', 'reserved'],
  ['2001:2::1', 'benchmarking'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:a9fe:a9fe::', 'cloud metadata'],
  ['2002:808:808::', 'reserved'],
  ['2600:1234::5efe:10.0.0.1', 'private'],
  ['2600:1234::200:5efe:8.8.8.8', 'reserved'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'reserved'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'cloud metadata'],
  ['fd20:ce::254', 'cloud metadata'],
  ['fdff::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'private'],
  ['ff02::1', 'multicast'],
])('%s is %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700::1111',
  '3ffe:ffff::1',
])('%s is public', (text) => {
  expect(kindOf(text)).toBeUndefined();
});

it('agrees with a second table about every address', () => {
  const refused = fc
    .tuple(fc.constantFrom(...REFUSED_RANGES), fc.bigInt(0n, 1n << 128n))
    .map(([range, offset]) => addressIn(range, offset));
  const embedded = fc.ipV4().chain((text) => fc.constantFrom(`::ffff:${text}`, `64:ff9b::${text}`));
  const isPlain = (text: string) => !/^(::ffff:|64:ff9b::)\d/.test(text);
  fc.assert(
    fc.property(fc.oneof(refused, embedded, fc.ipV4(), fc.ipV6()), (text) => {
      const judged = isPlain(text) ? text : text.slice(text.lastIndexOf(':') + 1);
      // ISATAP and NAT64 stand outside the second table.
      fc.pre(!/5efe|^64:ff9b::[^.]*$/i.test(text));
      expect({ text, refused: kindOf(text) !== undefined }).toEqual({ text, refused: isRefused(judged) });
    }),
    { numRuns: 5000 },
  );
});
