import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultOf, never, scriptedNames } from '../../../test/web/playground.ts';
import { addressIn, isRefused, REFUSED_RANGES } from '../../../test/web/refused-ranges.ts';
import { parseAllowList } from './allow-list.ts';
import { hostGuard } from './host-guard.ts';

const PUBLIC = '93.184.216.34';

const guardOf = (names: Record<string, readonly string[]>, allow: readonly string[] = []) =>
  hostGuard({ names: scriptedNames(names) }, parseAllowList(allow));

const pin = (host: string, names: Record<string, readonly string[]> = {}, allow: readonly string[] = []) =>
  guardOf(names, allow).pin({ host, port: 443 }, never);

it('answers every address of a public name, in order', async () => {
  expect(await pin('Site.Example.', { 'site.example': ['2606:4700::1', PUBLIC] })).toEqual({
    host: 'site.example',
    port: 443,
    addresses: ['2606:4700::1', PUBLIC],
    listed: undefined,
  });
});

it.each([
  ['127.0.0.1', [], '127.0.0.1 is a loopback address; ken does not connect to those.'],
  ['::1', [], '::1 is a loopback address; ken does not connect to those.'],
  ['localhost', [PUBLIC], 'localhost is a loopback address; ken does not connect to those.'],
  ['a.LOCALHOST.', [PUBLIC], 'a.localhost is a loopback address; ken does not connect to those.'],
  [
    'site.example',
    ['10.0.0.1'],
    'site.example resolves to 10.0.0.1, a private address; ken does not connect to those.',
  ],
  [
    'site.example',
    [PUBLIC, 'fd00::1'],
    'site.example resolves to fd00::1, a unique local address; ken does not connect to those.',
  ],
  [
    'site.example',
    ['0.0.0.0'],
    'site.example resolves to 0.0.0.0, an unspecified address; ken does not connect to those.',
  ],
  [
    'site.example',
    ['nonsense'],
    'site.example resolves to nonsense, a reserved address; ken does not connect to those.',
  ],
])('refuses %s at %j', async (host, addresses, message) => {
  expect(await faultOf(pin(host, { 'site.example': addresses, localhost: addresses }))).toEqual({
    code: 'net/refused',
    message,
  });
});

it('says so when a name has no address', async () => {
  expect(await faultOf(pin('site.example', { 'site.example': [] }))).toEqual({
    code: 'net/dns',
    message: 'site.example has no address.',
  });
});

it('lets the operator trust a name, but not where its name server should never lead', async () => {
  const names = { 'wiki.corp': ['10.1.2.3'], 'bad.corp': ['169.254.169.254'], localhost: ['127.0.0.1'] };
  expect(await pin('wiki.corp', names, ['wiki.corp'])).toMatchObject({
    addresses: ['10.1.2.3'],
    listed: 'host',
  });
  expect(await pin('localhost', names, ['localhost'])).toMatchObject({ addresses: ['127.0.0.1'] });
  expect(await faultOf(pin('bad.corp', names, ['*.corp']))).toEqual({
    code: 'net/refused',
    message: 'bad.corp resolves to 169.254.169.254, a cloud metadata address; ken does not connect to those.',
  });
  expect(await pin('169.254.169.254', {}, ['169.254.169.254'])).toMatchObject({ listed: 'host' });
});

it('tells how to trust a host', async () => {
  await expect(pin('fd00::1')).rejects.toMatchObject({
    hint: 'If you trust it, add "[fd00::1]" to net.allow with "ken config set --user --append net.allow".',
  });
  await expect(pin('bad.corp', { 'bad.corp': ['169.254.169.254'] })).rejects.toMatchObject({
    hint: undefined,
  });
});

it('never pins a host that leads into a refused range', async () => {
  const refused = fc
    .tuple(fc.constantFrom(...REFUSED_RANGES), fc.bigInt(0n, 1n << 128n))
    .map(([range, offset]) => addressIn(range, offset));
  const published = fc.oneof(fc.ipV4(), fc.ipV6()).filter((address) => !isRefused(address));
  const answer = fc
    .tuple(fc.array(published, { maxLength: 3 }), refused, fc.array(published, { maxLength: 3 }))
    .map(([before, bad, after]) => ({ bad, addresses: [...before, bad, ...after] }));
  await fc.assert(
    fc.asyncProperty(answer, async ({ bad, addresses }) => {
      expect((await faultOf(pin(bad))).code).toBe('net/refused');
      expect((await faultOf(pin('site.example', { 'site.example': addresses }))).code).toBe('net/refused');
    }),
    { numRuns: 1000 },
  );
});
