import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from '../src/base/package-files.ts';

const { nodeProblem } = createRequire(import.meta.url)('../bin/node-version.cjs');

it('has one version', () => {
  expect(VERSION).toBe(manifest.version);
});

it.each([
  ['24.16.0', true],
  ['24.21.0', true],
  ['26.1.0', true],
  ['26.10.0', true],
  ['27.0.0', true],
  ['30.2.1', true],
  ['12.22.12', false],
  ['20.20.2', false],
  ['24.0.0', false],
  ['24.15.0', false],
  ['25.9.0', false],
  ['26.0.0', false],
])('runs on Node %s: %s', (version, isGood) => {
  expect(manifest.engines.node).toBe('>=24.16 <25 || >=26.1');
  expect(nodeProblem(version)).toBe(
    isGood ? undefined : `ken needs Node 24.16 or newer, but neither 25 nor 26.0; this is ${version}.`,
  );
});
