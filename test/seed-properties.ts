/** Lets properties be tried with the seed of the run, where it has one. */

const seed = process.env.KEN_TEST_SEED;
if (seed !== undefined && process.env.KEN_TEST_SCALE !== undefined) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number.parseInt(seed, 10) | 0 });
}
