import { defineConfig } from 'vitest/config';
import { scaled } from './test/scale.ts';

/** Unit tests share threads; what starts real processes gets processes of its own. */
export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: scaled(20_000),
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/*/**/*.test.ts'],
          pool: 'forks',
          testTimeout: scaled(120_000),
          hookTimeout: 120_000,
          globalSetup: ['test/build-once.ts'],
        },
      },
    ],
  },
});
