import { createHash } from 'node:crypto';

/**
 * Numbers from 0 up to 1 that depend on the seed of the run and on `name` alone. `KEN_TEST_SEED` repeats a run; the long
 * run prints the seed that it chose.
 */
export function seededRandom(name: string): () => number {
  const seed = `${process.env.KEN_TEST_SEED ?? ''}\n${name}`;
  let count = 0;
  return () => {
    const digest = createHash('sha256').update(`${seed}\n${count++}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
}
