import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { parseAllowList } from '../../../domain/web/allow-list.ts';
import { HttpExchange, HttpRequests } from './http-requests.ts';

function requests(): HttpRequests {
  const sender = { send: () => Promise.reject(new Fault('net/connection', 'nobody is there')) };
  return new HttpRequests({ sender, hosts: parseAllowList(['site.test:80'], 'net') });
}

function begun(all: HttpRequests): HttpExchange {
  const exchange = all.begin({ method: 'POST', address: 'http://site.test/', headers: [] });
  if (exchange instanceof HttpExchange) return exchange;
  throw new Error(exchange);
}

it('holds no headers that no server takes, nor any of a request that was sent', async () => {
  const all = requests();
  const asked = (bytes: number) => ({
    method: 'GET',
    address: 'http://site.test/',
    headers: [{ name: 'x', value: new Uint8Array(bytes) }],
  });
  expect(all.begin(asked(131_072))).toBe('HTTP-request-header-section-size');
  expect(all.made.map(({ refused }) => refused)).toEqual(['the headers are larger than 131072 bytes']);
  const before = process.memoryUsage().arrayBuffers;
  const sent: unknown[] = [];
  for (let at = 0; at < 500; at++) {
    const exchange = all.begin(asked(100_000));
    if (!(exchange instanceof HttpExchange)) throw new Error(exchange);
    sent.push(exchange, await exchange.send());
  }
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(held, { timeout: 20_000 }).toBeLessThan(10_000_000);
  expect(sent).toHaveLength(1000);
});

const MIB = new Uint8Array(1024 ** 2);

/** How many mebibytes it takes before it refuses one, 20 at most. */
function fill(exchange: HttpExchange): number {
  for (let count = 0; count < 20; count++) if (exchange.write(MIB).tag === 'failed') return count;
  return 20;
}

it('holds 16 MiB of one request, 32 of all together, and counts what ended no more', () => {
  const all = requests();
  const [first, second, third] = [begun(all), begun(all), begun(all)];
  expect([fill(first), fill(second), fill(third)]).toEqual([16, 16, 0]);
  expect(all.made.map(({ sentBytes, refused }) => [sentBytes, refused !== undefined])).toEqual([
    [16 * 1024 ** 2, true],
    [16 * 1024 ** 2, true],
    [0, true],
  ]);
  first.release();
  first.release();
  expect(fill(begun(all))).toBe(16);
  expect(fill(third)).toBe(0);
});

it.each([
  ['http://ada:pass@site.test/a?key=1', 'http://site.test/a'],
  ['http:\\\\ada:pass@site.test\\a@b', 'http:\\\\site.test\\a@b'],
  ['ftp://ada@site.test/#x', 'ftp://site.test/'],
])('keeps no password of an address: %s', (address, shown) => {
  const all = requests();
  expect(all.begin({ method: 'GET', address, headers: [] })).toBe('HTTP-request-URI-invalid');
  expect(all.made.map(({ url }) => url)).toEqual([shown]);
});
