/** `wasi:clocks` and `wasi:random`. */

import { type Datetime, lazyCrypto } from './file-facts.ts';
import { Pollable } from './streams.ts';

const MOST_RANDOM_BYTES = 1024 ** 2;

/** The monotonic clock starts at zero for each instance, so that it reveals nothing about the machine. */
export function clocks() {
  const startMs = performance.now();
  const readyAt = (sinceStartNs: bigint) => new Pollable(startMs + Number(sinceStartNs) / 1e6);
  const now = () => BigInt(Math.round((performance.now() - startMs) * 1000)) * 1000n;
  return {
    'wasi:clocks/monotonic-clock': {
      now,
      resolution: () => 1000n,
      subscribeInstant: (when: bigint) => readyAt(when),
      subscribeDuration: (duration: bigint) => readyAt(now() + duration),
    },
    'wasi:clocks/wall-clock': {
      now: (): Datetime => {
        const ms = Date.now();
        return { seconds: BigInt(Math.floor(ms / 1000)), nanoseconds: (ms % 1000) * 1_000_000 };
      },
      resolution: (): Datetime => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
  };
}

export function random() {
  const bytes = (length: bigint) => {
    if (length > MOST_RANDOM_BYTES) throw new Error('too many random bytes at once');
    return new Uint8Array(lazyCrypto().randomBytes(Number(length)));
  };
  const number = () => lazyCrypto().randomBytes(8).readBigUInt64LE();
  return {
    'wasi:random/random': { getRandomBytes: bytes, getRandomU64: number },
    'wasi:random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: number },
    'wasi:random/insecure-seed': { insecureSeed: () => [number(), number()] as const },
  };
}
