import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { compilerDirectory } from '../../src/adapters/wasm/author/compilers.ts';
import type { Sandbox } from '../cli/ken.ts';

const packages = path.join(import.meta.dirname, '../../node_modules');

/** The packages of this project stand in for the compilers that ken would install. */
export function withCompilers<Place extends Pick<Sandbox, 'home'>>(place: Place): Place {
  for (const set of ['typescript', 'components'] as const) {
    const directory = compilerDirectory(path.join(place.home, 'cache/compilers'), set);
    mkdirSync(directory, { recursive: true });
    symlinkSync(packages, path.join(directory, 'node_modules'));
  }
  return place;
}
