import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import { parseHost } from './host.ts';
import { parseWebAddress } from './web-address.ts';

const faultOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no fault';
};

it('keeps one spelling', () => {
  expect(parseWebAddress(' HTTPS://Example.COM.:443/a b?q=ü#part')).toEqual({
    href: 'https://example.com/a%20b?q=%C3%BC',
    origin: 'https://example.com',
    isSecure: true,
    host: { text: 'example.com', address: undefined },
    port: 443,
    target: '/a%20b?q=%C3%BC',
  });
  expect(parseWebAddress('http://[::FFFF:1.2.3.4]:8080').host.text).toBe('::ffff:102:304');
  expect(parseWebAddress('http://0x7f.1/').href).toBe('http://127.0.0.1/');
  expect(parseWebAddress('http://bücher.example/').host.text).toBe('xn--bcher-kva.example');
});

it('reads a redirect against where it came from', () => {
  const base = parseWebAddress('https://example.com/a/b?c');
  expect(parseWebAddress('../d#e', base).href).toBe('https://example.com/d');
  expect(parseWebAddress('//other.example/x', base).href).toBe('https://other.example/x');
});

it.each([
  ['', 'net/invalid-url: "" is not a web address: it cannot be read as one.'],
  ['example.com', 'net/invalid-url: "example.com" is not a web address: it cannot be read as one.'],
  ['http://', 'net/invalid-url: "http://" is not a web address: it cannot be read as one.'],
  [
    'http://1.2.3.4.5/',
    'net/invalid-url: "http://1.2.3.4.5/" is not a web address: it cannot be read as one.',
  ],
  [
    'http://[::1%25eth0]/',
    'net/invalid-url: "http://[::1%25eth0]/" is not a web address: it cannot be read as one.',
  ],
  ['http://a,b/', 'net/invalid-url: "a,b" is not a web address: its host is not a valid name.'],
  ['http://-a/', 'net/invalid-url: "-a" is not a web address: its host is not a valid name.'],
  ['http://a..b/', 'net/invalid-url: "a..b" is not a web address: its host is not a valid name.'],
  [
    'http://localhost../',
    'net/invalid-url: "localhost.." is not a web address: its host is not a valid name.',
  ],
  [
    'http://exa\nmple.com/',
    'net/invalid-url: "http://exa\\nmple.com/" is not a web address: it contains control characters.',
  ],
  ['http://user:secret@:1/', 'net/invalid-url: "http://:1/" is not a web address: it cannot be read as one.'],
  ['us er:secret@:1', 'net/invalid-url: ":1" is not a web address: it cannot be read as one.'],
  ['//a:b@c:secret@:1', 'net/invalid-url: "//:1" is not a web address: it cannot be read as one.'],
  ['http://me@example.com/', 'net/refused: The address of example.com contains a user name or password.'],
  ['http://:x@example.com/', 'net/refused: The address of example.com contains a user name or password.'],
  ['file:///etc/passwd', 'net/refused: file: addresses are not fetched; only http: and https: are.'],
  ['gopher://example.com/', 'net/refused: gopher: addresses are not fetched; only http: and https: are.'],
  ['data:text/html,x', 'net/refused: data: addresses are not fetched; only http: and https: are.'],
  ['javascript:alert(1)', 'net/refused: javascript: addresses are not fetched; only http: and https: are.'],
])('does not accept %j', (text, fault) => {
  expect(faultOf(() => parseWebAddress(text))).toBe(fault);
});

it('does not accept endless addresses', () => {
  expect(faultOf(() => parseWebAddress(`http://a/${'x'.repeat(9000)}`))).toMatch(
    /^net\/invalid-url: "http:\/\/a\/x{291}" is not a web address: it is longer than 8192 characters\.$/,
  );
});

it.each([
  'a/b',
  'a@b',
  'a:80',
  'a b',
  'a%20b',
  'a?b',
  'a#b',
  '-a',
  '*',
  '+a',
  'a,b',
  '',
  '[a]',
  'a\\b',
  '-oProxy=x',
])('takes %j for no host', (text) => {
  expect(faultOf(() => parseHost(text))).toMatch(/^net\/invalid-url: .* is not a host name\.$/);
});

it('takes IPv6 with and without brackets', () => {
  expect(parseHost('[::1]')).toEqual(parseHost('0:0::1'));
});

it('refuses an address of a megabyte at once', () => {
  const before = process.threadCpuUsage();
  for (const text of ['x', 'a:', ':/', '@', '/']) {
    expect(faultOf(() => parseWebAddress(text.repeat(500_000)))).toMatch(/longer than 8192 characters/);
  }
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
});
