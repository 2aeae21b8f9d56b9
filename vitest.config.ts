import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { scaled } from './test/scale.ts';

/**
 * Node 24 may abort in its background threads when thousands of Wasm threads come and go in one process, as only tests
 * let them: https://github.com/nodejs/node/issues/64500. Code that is kept is not freed twice.
 */
const KEEP_WASM_CODE = '--no-wasm-code-gc';

/** Components run for moments; to optimise them takes as long again. */
const NO_WASM_OPTIMISATION = '--liftoff-only';

// Workers inherit it; what a test chooses at random depends on it.
process.env.KEN_TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
if (process.env.KEN_TEST_SCALE !== undefined)
  process.stdout.write(`Seed of this run: KEN_TEST_SEED=${process.env.KEN_TEST_SEED} repeats its choices.\n`);

/** Unit tests share threads; what starts real processes gets processes of its own. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/doubles/*.test.ts'],
          pool: 'threads',
          isolate: false,
          // The default leaves one processor idle, which on two of them is half of the machine.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
          testTimeout: scaled(20_000),
          // On a busy machine, notices of files take more than the default of a second.
          expect: { poll: { timeout: scaled(15_000) } },
          setupFiles: ['test/seed-properties.ts'],
          globalSetup: ['test/own-temporary-directory.ts', 'test/team/start-postgres.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/*/**/*.test.ts'],
          exclude: ['test/doubles/**'],
          pool: 'forks',
          // They wait for their processes half of the time.
          maxWorkers: availableParallelism() * 3,
          sequence: { groupOrder: 1 },
          execArgv: [KEEP_WASM_CODE, NO_WASM_OPTIMISATION],
          // With the stand-alone binary each command of a test is a process.
          testTimeout: scaled(process.env.KEN_TEST_BINARY ? 360_000 : 120_000),
          hookTimeout: 120_000,
          // The default of one second is less than a process takes to start on a busy machine.
          expect: { poll: { timeout: scaled(30_000) } },
          setupFiles: ['test/seed-properties.ts'],
          globalSetup: [
            'test/own-temporary-directory.ts',
            'test/build-once.ts',
            'test/team/start-postgres.ts',
          ],
        },
      },
    ],
  },
});
