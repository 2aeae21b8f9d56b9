import net from 'node:net';
import { expect, it } from 'vitest';
import { parseHost } from '../../src/domain/web/host.ts';
import type { HostGuard, NameResolver } from '../../src/domain/web/host-guard.ts';
import { faultOf, playground, scriptedNames } from '../web/playground.ts';
import { serve } from '../web/servers.ts';

const PUBLIC = '93.184.216.34';

/** Addresses that are spelled in the URL itself, and what they come down to. */
const LITERALS: readonly (readonly [spelling: string, meaning: string])[] = [
  // This machine.
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0X7F000001', '127.0.0.1'],
  ['0x7f.0x0.0x0.0x1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0x7f.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['0177.0.0.01', '127.0.0.1'],
  ['00000177.1', '127.0.0.1'],
  ['127.0x1', '127.0.0.1'],
  ['0177.0x0.1', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['127%2e0%2e0%2e1', '127.0.0.1'],
  ['127。0。0。1', '127.0.0.1'],
  ['127．0．0．1', '127.0.0.1'],
  ['127｡0｡0｡1', '127.0.0.1'],
  ['１２７.0.0.1', '127.0.0.1'],
  ['①②⑦.⓪.⓪.①', '127.0.0.1'],
  ['𝟏𝟐𝟕.𝟎.𝟎.𝟏', '127.0.0.1'],
  ['127.0.0.\u00ad1', '127.0.0.1'],
  ['127.\u200b0.0.1', '127.0.0.1'],
  ['0x7f。1', '127.0.0.1'],
  ['127.127.127.127', '127.127.127.127'],
  ['127.0.0.2', '127.0.0.2'],
  // Nowhere, which most systems take for this machine.
  ['0', '0.0.0.0'],
  ['0.0', '0.0.0.0'],
  ['0.0.0.0', '0.0.0.0'],
  ['0x0', '0.0.0.0'],
  ['0x', '0.0.0.0'],
  ['00', '0.0.0.0'],
  ['0.0.0.1', '0.0.0.1'],
  // Networks of one's own.
  ['10.0.0.1', '10.0.0.1'],
  ['0xa000001', '10.0.0.1'],
  ['167772161', '10.0.0.1'],
  ['012.1', '10.0.0.1'],
  ['172.16.0.1', '172.16.0.1'],
  ['0xac.0x10.1', '172.16.0.1'],
  ['192.168.0.1', '192.168.0.1'],
  ['0300.0250.0.1', '192.168.0.1'],
  ['3232235521', '192.168.0.1'],
  ['192.168.257', '192.168.1.1'],
  ['100.64.0.1', '100.64.0.1'],
  ['1681915905', '100.64.0.1'],
  // Where clouds hand out credentials.
  ['169.254.169.254', '169.254.169.254'],
  ['2852039166', '169.254.169.254'],
  ['0xa9fea9fe', '169.254.169.254'],
  ['0251.0376.0251.0376', '169.254.169.254'],
  ['169.254.43518', '169.254.169.254'],
  ['169.0xfea9fe', '169.254.169.254'],
  ['169。254。169。254', '169.254.169.254'],
  ['169.254.170.2', '169.254.170.2'],
  ['100.100.100.200', '100.100.100.200'],
  ['168.63.129.16', '168.63.129.16'],
  ['192.0.0.192', '192.0.0.192'],
  ['[fd00:ec2::254]', 'fd00:ec2::254'],
  ['[FD00:0EC2:0:0:0:0:0:254]', 'fd00:ec2::254'],
  ['[fd20:ce::254]', 'fd20:ce::254'],
  // Not for anyone.
  ['169.254.1.1', '169.254.1.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['198.51.100.1', '198.51.100.1'],
  ['203.0.113.1', '203.0.113.1'],
  ['198.18.0.1', '198.18.0.1'],
  ['192.88.99.1', '192.88.99.1'],
  ['224.0.0.1', '224.0.0.1'],
  ['0xe0000001', '224.0.0.1'],
  ['240.0.0.1', '240.0.0.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['4294967295', '255.255.255.255'],
  // IPv6, plain and with an IPv4 address inside.
  ['[::1]', '::1'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  ['[0000:0000:0000:0000:0000:0000:0000:0001]', '::1'],
  ['[::0.0.0.1]', '::1'],
  ['[::]', '::'],
  ['[::0.0.0.0]', '::'],
  ['[::127.0.0.1]', '::7f00:1'],
  ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ['[::FFFF:7F00:1]', '::ffff:7f00:1'],
  ['[0:0:0:0:0:ffff:127.0.0.1]', '::ffff:7f00:1'],
  ['[0000:0000:0000:0000:0000:ffff:7f00:0001]', '::ffff:7f00:1'],
  ['[::ffff:10.0.0.1]', '::ffff:a00:1'],
  ['[::ffff:a9fe:a9fe]', '::ffff:a9fe:a9fe'],
  ['[::ffff:0.0.0.0]', '::ffff:0:0'],
  ['[::ffff:0:127.0.0.1]', '::ffff:0:7f00:1'],
  ['[64:ff9b::127.0.0.1]', '64:ff9b::7f00:1'],
  ['[64:ff9b::a9fe:a9fe]', '64:ff9b::a9fe:a9fe'],
  ['[64:ff9b:1::10.0.0.1]', '64:ff9b:1::a00:1'],
  ['[2002:7f00:1::]', '2002:7f00:1::'],
  ['[2002:a9fe:a9fe::1]', '2002:a9fe:a9fe::1'],
  ['[2002:a00:1::1]', '2002:a00:1::1'],
  ['[2001::1]', '2001::1'],
  ['[2001:0:7f00:1::]', '2001:0:7f00:1::'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[3fff::1]', '3fff::1'],
  ['[2600:1f00::5efe:10.0.0.1]', '2600:1f00::5efe:a00:1'],
  ['[fe80::1]', 'fe80::1'],
  ['[febf:ffff::1]', 'febf:ffff::1'],
  ['[fec0::1]', 'fec0::1'],
  ['[fc00::1]', 'fc00::1'],
  ['[fdff:ffff::1]', 'fdff:ffff::1'],
  ['[ff02::1]', 'ff02::1'],
  ['[100::1]', '100::1'],
];

/** Names that mean this machine or resolve to something refused, and what their name server answers. */
const NAMES: readonly (readonly [spelling: string, answer: readonly string[]])[] = [
  ['localhost', ['127.0.0.1']],
  ['LOCALHOST', ['127.0.0.1']],
  ['localhost.', ['127.0.0.1']],
  ['ｌｏｃａｌｈｏｓｔ', ['127.0.0.1']],
  ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', ['127.0.0.1']],
  ['loc%61lhost', ['127.0.0.1']],
  ['loc\u00adalhost', ['127.0.0.1']],
  ['anything.localhost', [PUBLIC]],
  ['rebound.example', ['127.0.0.1']],
  ['127.0.0.1.nip.example', ['127.0.0.1']],
  ['mixed.example', [PUBLIC, '10.0.0.1']],
  ['mixed-six.example', ['2606:4700::1', '::1']],
  ['mapped.example', ['::ffff:169.254.169.254']],
  ['zoned.example', ['fe80::1%eth0']],
  ['translated.example', ['64:ff9b::a00:1']],
  ['metadata.google.internal', ['169.254.169.254']],
  ['nonsense.example', ['0x7f000001']],
];

/** Spellings that other parsers have taken for an address, and that are none. */
const MALFORMED: readonly string[] = [
  'http://[::1%25lo]/',
  'http://[::1%lo]/',
  'http://[fe80::1%25eth0]/',
  'http://127.0.0.1.0/',
  'http://1.2.3.256/',
  'http://256.0.0.1/',
  'http://4294967296/',
  'http://0x1ffffffff/',
  'http://08.0.0.1/',
  'http://127..1/',
  'http://[127.0.0.1]/',
  'http://[::ffff:127.1]/',
  'http://[::1/',
  'http://::1/',
  'http://localhost../',
  'http://127.0.0.1%00.example/',
  'http://127.0.0.1%0d%0aHost:x/',
  'http://loc\talhost/',
  'http://127.0.0.1\n/',
  'http://exa%23mple/',
  'http://a%2fb/',
  'http://:80/',
  'http:///',
];

const SCHEMES: readonly string[] = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'ftp://127.0.0.1/',
  'dict://127.0.0.1:11211/stats',
  'ws://127.0.0.1/',
  'data:text/plain,x',
  'blob:http://127.0.0.1/x',
  'view-source:http://127.0.0.1/',
  'javascript:fetch(1)',
];

const CREDENTIALS: readonly string[] = [
  'http://user@93.184.216.34/',
  'http://user:pass@93.184.216.34/',
  'http://:pass@93.184.216.34/',
  'http://example.com@127.0.0.1/',
  'http://example.com%40@127.0.0.1/',
  'http://example.com:80@127.0.0.1/',
  'http://example.com#@127.0.0.1/'.replace('#', '%23'),
];

/** Every spelling that hides the host behind something else: what a browser would connect to is what is judged. */
const DISGUISED: readonly (readonly [url: string, host: string])[] = [
  ['http:127.0.0.1/', '127.0.0.1'],
  ['http:/127.0.0.1/', '127.0.0.1'],
  ['http:////127.0.0.1/', '127.0.0.1'],
  ['http:\\\\127.0.0.1\\', '127.0.0.1'],
  ['http://127.0.0.1\\@example.com/', '127.0.0.1'],
  ['http://127.0.0.1?@example.com/', '127.0.0.1'],
  ['http://127.0.0.1#@example.com/', '127.0.0.1'],
  ['  http://127.0.0.1/  ', '127.0.0.1'],
  ['HtTp://127.0.0.1/', '127.0.0.1'],
  ['http://@127.0.0.1/', '127.0.0.1'],
];

/** Lets everything through: whatever is refused by the real guard must be seen to get somewhere with this one. */
function openGuard(names: NameResolver): HostGuard {
  return {
    async pin({ host, port }, signal) {
      const { text, address } = parseHost(host);
      const addresses = address ? [text] : await names.resolve(text, signal);
      return { host: text, port, addresses, listed: 'host-and-port' };
    },
  };
}

const canListen = async (address: string) =>
  new Promise<boolean>((resolve) => {
    const server = net.createServer().listen(0, address, () => server.close(() => resolve(true)));
    server.on('error', () => resolve(false));
  });
const hasIpv6 = await canListen('::1');

it.each(LITERALS)('http://%s is %s and stays unvisited', async (spelling, meaning) => {
  const { get, connected } = playground({});
  const fault = await faultOf(get(`http://${spelling}/`));
  expect(fault.code).toBe('net/refused');
  expect(fault.message).toMatch(new RegExp(`^${meaning.replaceAll('.', '\\.')} is an? .* address; `));
  expect(connected).toEqual([]);

  const server = await serve((_request, response) => response.end('reached'));
  const open = playground({ guard: openGuard(scriptedNames({})), machines: { [meaning]: server.port } });
  expect(Buffer.from((await open.page(`http://${spelling}/`)).body).toString()).toBe('reached');
  expect(open.connected).toEqual([meaning, meaning]);
});

const REACHABLE = new Set(['127.0.0.1', '::ffff:7f00:1']);

it.each(LITERALS.filter(([, meaning]) => REACHABLE.has(meaning)))(
  'http://%s really leads to this machine without the guard',
  async (spelling) => {
    const server = await serve((_request, response) => response.end('reached'));
    const open = playground({ guard: openGuard(scriptedNames({})), isReal: true });
    const page = await open.page(`http://${spelling}:${server.port}/`);
    expect(Buffer.from(page.body).toString()).toBe('reached');
    const closed = playground({ isReal: true });
    expect((await faultOf(closed.get(`http://${spelling}:${server.port}/`))).code).toBe('net/refused');
    expect(server.connections()).toBe(2);
  },
);

it.skipIf(!hasIpv6).each(LITERALS.filter(([, meaning]) => meaning === '::1'))(
  'http://%s really leads to this machine without the guard (skipped where there is no IPv6)',
  async (spelling) => {
    const server = await serve((_request, response) => response.end('reached'), { address: '::1' });
    const open = playground({ guard: openGuard(scriptedNames({})), isReal: true });
    const page = await open.page(`http://${spelling}:${server.port}/`);
    expect(Buffer.from(page.body).toString()).toBe('reached');
  },
);

it.each(LITERALS.filter(([, meaning]) => ['0.0.0.0', '::ffff:0:0'].includes(meaning)))(
  'http://%s leads to this machine without the guard, and is dropped once that shows',
  async (spelling) => {
    const server = await serve((_request, response) => response.end('reached'));
    const open = playground({ guard: openGuard(scriptedNames({})), isReal: true });
    const fault = await faultOf(open.get(`http://${spelling}:${server.port}/`));
    expect(fault.code).toBe('net/refused');
    expect(fault.message).toMatch(/ led to (::ffff:)?127\.0\.0\.1, which was not checked\.$/);
    expect(server.requests).toEqual([]);
  },
);

it.each(NAMES)('http://%s, which resolves to %j, stays unvisited', async (spelling, answer) => {
  const { text } = parseHost(decodeURIComponent(spelling));
  const names = { [text]: answer };
  const closed = playground({ names });
  expect((await faultOf(closed.get(`http://${spelling}/`))).code).toBe('net/refused');
  expect(closed.connected).toEqual([]);

  const server = await serve((_request, response) => response.end('reached'));
  const machines = Object.fromEntries(answer.map((address) => [address, server.port]));
  const open = playground({ guard: openGuard(scriptedNames(names)), machines });
  expect(Buffer.from((await open.page(`http://${spelling}/`)).body).toString()).toBe('reached');
});

it.each(MALFORMED)('%j is no address at all', async (url) => {
  const { get, asked, connected } = playground({});
  expect((await faultOf(get(url))).code).toBe('net/invalid-url');
  expect([asked, connected]).toEqual([[], []]);
});

it.each([...SCHEMES, ...CREDENTIALS])('%j is refused as it stands', async (url) => {
  const { get, asked, connected } = playground({ names: { 'example.com': [PUBLIC] } });
  const fault = await faultOf(get(url));
  expect(fault.code).toBe('net/refused');
  expect(fault.message).not.toContain('pass@');
  expect([asked, connected]).toEqual([[], []]);
});

it.each(DISGUISED)('%j is judged as %s', async (url, host) => {
  const { get, connected } = playground({ names: { 'example.com': [PUBLIC] } });
  expect((await faultOf(get(url))).message).toBe(
    `${host} is a loopback address; ken does not connect to those.`,
  );
  expect(connected).toEqual([]);
});

it.each([1, 22, 25, 53, 110, 143, 389, 465, 587, 993, 995, 2049, 5060, 6000, 6667, 10080])(
  'port %i belongs to another protocol',
  async (port) => {
    const server = await serve((_request, response) => response.end('reached'));
    const web = { names: { 'site.example': [PUBLIC] }, machines: { [PUBLIC]: server.port } };
    expect(await faultOf(playground(web).get(`http://site.example:${port}/`))).toEqual({
      code: 'net/refused',
      message: `Port ${port} of site.example belongs to another protocol.`,
    });
    expect(server.requests).toEqual([]);
    const trusting = playground({ ...web, allow: [`site.example:${port}`] });
    expect(await trusting.get(`http://site.example:${port}/`)).toMatchObject({ type: 'page' });
    const halfTrusting = playground({ ...web, allow: ['site.example'] });
    expect((await faultOf(halfTrusting.get(`http://site.example:${port}/`))).code).toBe('net/refused');
  },
);
