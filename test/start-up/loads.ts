import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { accountFile } from '../../scripts/build.mjs';
import type { RunOptions, Sandbox } from '../cli/ken.ts';

export interface Loads {
  /** Names of npm packages of which any code was loaded. */
  readonly packages: readonly string[];
  /** Files of ours, without `src/`. */
  readonly sources: readonly string[];
  /** Modules of Node's own that the loaded code imports. */
  readonly builtins: readonly string[];
}

/** Runs the real binary and answers what it loaded; it must end with `code`. */
export async function loadsOf(
  place: Sandbox,
  words: readonly string[],
  { code = 0, ...options }: RunOptions & { code?: number } = {},
): Promise<Loads> {
  const record = place.write('../loads.txt', '');
  const preload = pathToFileURL(path.join(import.meta.dirname, 'record-loads.mjs')).href;
  const environment = { ...options.environment, NODE_OPTIONS: `--import=${preload}`, KEN_TEST_LOADS: record };
  const result = await place.ken(words, { ...options, environment });
  expect(result).toMatchObject({ code });
  return sortLoads(readFileSync(record, 'utf8').split('\n').filter(Boolean));
}

interface Account {
  readonly outputs: Readonly<Record<string, Chunk>>;
}

interface Chunk {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string }[];
}

/** In the bundle the names of packages are gone; the build's account says what each chunk is made of. */
function sortLoads(urls: readonly string[]): Loads {
  const { outputs }: Account = JSON.parse(readFileSync(accountFile, 'utf8'));
  const names = urls.map((url) => path.basename(url));
  const loaded = Object.entries(outputs).filter(([output]) => names.includes(path.basename(output)));
  const files = loaded.flatMap(([, chunk]) => filesIn(chunk));
  const packages = files.flatMap(
    (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  const sources = files.flatMap((file) => (file.startsWith('src/') ? file.slice('src/'.length) : []));
  const imported = loaded.flatMap(([, { imports }]) => imports.map((one) => one.path));
  return {
    packages: sorted(packages),
    sources: sorted(sources),
    builtins: sorted(imported.filter(isBuiltin)),
  };
}

function filesIn({ inputs }: Chunk): string[] {
  return Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
