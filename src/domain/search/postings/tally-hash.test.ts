import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fnv1a } from '../../../base/checksum.ts';
import { instantiate } from '../vectors/kernel.ts';
import { TALLY_BASE64 } from './tally-bytes.ts';

/** Addresses as in term-tally.ts; an empty table of one slot, in which no run is known. */
const [SLOTS, HASH, CLASSES, EMPTY_SLOT, TEXT] = [0, 36, 64, 1024, 2048];

it('hashes a run in WebAssembly as JavaScript does', () => {
  const memory = new WebAssembly.Memory({ initial: 128 });
  const tally = instantiate<{ scan(...values: number[]): number }>(TALLY_BASE64, memory);
  const bytes = new Uint8Array(memory.buffer);
  const numbers = new Uint32Array(memory.buffer);
  bytes.fill(1, CLASSES + 1, CLASSES + 256);
  numbers[SLOTS / 4] = EMPTY_SLOT;
  fc.assert(
    fc.property(fc.uint8Array({ min: 1, minLength: 1, maxLength: 40 }), (run) => {
      bytes.set(run, TEXT);
      expect(tally.scan(TEXT, TEXT + run.length, 1, 48, 64)).toBe(1);
      expect(numbers[HASH / 4]).toBe(fnv1a(run));
    }),
  );
});
