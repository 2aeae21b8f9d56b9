import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frame } from '../wire/messages.ts';
import { FrameReader } from './frame-reader.ts';

function reader(longest = 1000): FrameReader {
  const made = new FrameReader();
  made.longest = longest;
  return made;
}

function takeAll(from: FrameReader): string[] {
  const taken: string[] = [];
  for (let message = from.next(); message; message = from.next()) taken.push(message.toString('latin1'));
  return taken;
}

it('takes out the same messages, however they come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 30 })),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(frame));
        const from = reader();
        const taken: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const end = at + (sizes[turn % sizes.length] ?? 1);
          from.add(bytes.subarray(at, end));
          taken.push(...takeAll(from));
          at = end;
        }
        expect(taken).toEqual(messages.map((message) => Buffer.from(message).toString('latin1')));
        expect(from.hasMore).toBe(false);
      },
    ),
  );
});

it('tells whether bytes follow a message', () => {
  const from = reader();
  from.add(Buffer.concat([frame(Buffer.from('one')), Buffer.of(1)]));
  expect([from.next()?.toString(), from.hasMore]).toEqual(['one', true]);
});

it('refuses a message that is too long at its length', () => {
  const from = reader(10);
  from.add(frame(Buffer.alloc(11)).subarray(0, 4));
  expect(() => from.next()).toThrow('a message of 11 bytes');
});

it('holds little of a message that comes byte by byte', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const from = reader(10_000_000);
  const before = held();
  from.add(frame(Buffer.alloc(10_000_000)).subarray(0, 4));
  for (let at = 0; at < 200_000; at++) {
    expect(from.next()).toBeUndefined();
    from.add(Buffer.of(7));
  }
  expect(held() - before).toBeLessThan(5_000_000);
});
