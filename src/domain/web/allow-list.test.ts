import { expect, it } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { parseHost } from './host.ts';

const lists = (entry: string, host: string, port = 80) =>
  parseAllowList([entry]).lists(parseHost(host), port);

it.each([
  ['wiki.corp', 'wiki.corp', 80, 'host'],
  ['wiki.corp', 'WIKI.corp.', 8080, 'host'],
  ['Wiki.Corp.', 'wiki.corp', 80, 'host'],
  ['wiki.corp', 'a.wiki.corp', 80, undefined],
  ['wiki.corp', 'wiki.corp.evil.example', 80, undefined],
  ['wiki.corp:8080', 'wiki.corp', 8080, 'host-and-port'],
  ['wiki.corp:8080', 'wiki.corp', 80, undefined],
  ['*.corp', 'wiki.corp', 80, 'host'],
  ['*.corp', 'a.b.corp', 80, 'host'],
  ['*.corp', 'corp', 80, undefined],
  ['*.corp', 'evilcorp', 80, undefined],
  ['*.corp:81', 'wiki.corp', 81, 'host-and-port'],
  ['*.0.0.1', '127.0.0.1', 80, 'error'],
  ['127.0.0.1', '127.0.0.1', 80, 'host'],
  ['127.0.0.1', '0x7f000001', 80, 'host'],
  ['127.1', '127.0.0.1', 80, 'host'],
  ['127.0.0.1', 'localhost', 80, undefined],
  ['[::1]', '::1', 80, 'host'],
  ['[::1]:81', '[0::1]', 81, 'host-and-port'],
  ['', '', 80, 'error'],
  ['*', 'wiki.corp', 80, 'error'],
  ['*.', 'wiki.corp', 80, 'error'],
  ['a:b', 'a', 80, 'error'],
  ['a:0', 'a', 0, 'error'],
  ['a:70000', 'a', 0, 'error'],
  ['::1', '::1', 80, 'error'],
  ['http://a', 'a', 80, 'error'],
  ['a/b', 'a', 80, 'error'],
  ['10.0.0.0/8', '10.0.0.1', 80, 'error'],
])('%j and %s at %i: %s', (entry, host, port, expected) => {
  if (expected === 'error') {
    expect(() => lists(entry, host, port)).toThrow(`net.allow: ${JSON.stringify(entry)} is not a host.`);
  } else expect(lists(entry, host, port)).toBe(expected);
});

it('takes the narrower of two entries', () => {
  expect(parseAllowList(['*.corp', 'a.corp:22']).lists(parseHost('a.corp'), 22)).toBe('host-and-port');
});
