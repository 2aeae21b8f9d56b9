import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from '../src/base/package-files.ts';

it('has one version', () => {
  expect(VERSION).toBe(manifest.version);
});
