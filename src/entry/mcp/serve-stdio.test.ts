import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MOST_UNREAD, wellFormedLines } from './serve-stdio.ts';

it('reads no further messages while a client leaves its answers unread, and then all of them', async () => {
  let beRead = () => {};
  const output = new Writable({
    write(_chunk, _encoding, done) {
      beRead = done;
    },
  });
  const lines = wellFormedLines(output);
  const taken: number[] = [];
  lines.on('data', (line: Buffer) => taken.push(JSON.parse(line.toString()).id));
  const ask = (id: number) => lines.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
  ask(1);
  output.write(Buffer.alloc(MOST_UNREAD + 1));
  for (const id of [2, 3, 4]) ask(id);
  await setImmediate();
  expect(taken).toEqual([1, 2]);
  beRead();
  await expect.poll(() => taken).toEqual([1, 2, 3, 4]);
});
