import { expect, it } from 'vitest';
import { parseAllowList } from '../../../domain/web/allow-list.ts';
import { HttpExchange, HttpRequests } from './http-requests.ts';

function requests(): HttpRequests {
  const sender = { send: () => Promise.reject(new Error('is not sent')) };
  return new HttpRequests({ sender, hosts: parseAllowList(['site.test:80'], 'net') });
}

function begun(all: HttpRequests): HttpExchange {
  const exchange = all.begin({ method: 'POST', address: 'http://site.test/', headers: [] });
  if (exchange instanceof HttpExchange) return exchange;
  throw new Error(exchange);
}

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
