/** The clock, the timer, the digests and the random ids of this machine. Loads crypto at its first use. */

import type { StreamHasher } from '../../base/hasher.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Clock } from '../../base/time.ts';
import type { Timer } from '../../domain/turns/model/ask-model.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemTimer: Timer = {
  random: Math.random,
  async wait(milliseconds, signal) {
    const { setTimeout: sleep } = await import('node:timers/promises');
    // An aborted wait has simply ended.
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  },
};

export const systemHasher: StreamHasher = {
  sha256: (content) => process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex'),
  running() {
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
};

type RandomBytes = (count: number) => Uint8Array;

/** Within one millisecond, and when the clock steps back, ids count upwards. */
export function systemIds(clock: Clock, randomBytes: RandomBytes = cryptoBytes): IdSource {
  let time = -1;
  let random = 0n;
  return {
    ulid() {
      const now = clock.now();
      if (now > time) {
        time = now;
        random = toInteger(randomBytes(10));
      } else random += 1n;
      if (random > LARGEST_RANDOM) {
        time += 1;
        random = toInteger(randomBytes(10));
      }
      return base32(BigInt(time), 10) + base32(random, 16);
    },
    token: (bytes) => Buffer.from(randomBytes(bytes)).toString('hex'),
  };
}

const LARGEST_RANDOM = 2n ** 80n - 1n;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function base32(value: bigint, digits: number): string {
  let text = '';
  for (let at = 0, rest = value; at < digits; at++, rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return text;
}

function cryptoBytes(count: number): Uint8Array {
  return process.getBuiltinModule('node:crypto').randomBytes(count);
}

/**
 * For work over many items whose garbage V8 would let grow to hundreds of megabytes: the heap for young objects stays as
 * large as it is, and that for old ones is cleared, in one go, when it has grown by a tenth. Costs a tenth of the time.
 */
export function keepHeapSmall(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of SMALL_HEAP) setFlagsFromString(flag);
}

const SMALL_HEAP = [
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=10',
  '--no-incremental-marking',
  '--optimize-for-size',
];
