import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { runEnvironment, type Sandbox } from '../cli/ken.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const project = path.join(import.meta.dirname, '../..');

export interface BundleLoads {
  /** Files of dist/ that are read, without `.cjs`. */
  readonly layers: readonly string[];
  /** Modules of Node that are loaded. */
  readonly builtins: readonly string[];
}

/** Runs the real binary, which must end with `code`. */
export async function bundleLoads(place: Sandbox, words: readonly string[], code = 0): Promise<BundleLoads> {
  const record = place.write('../loads.txt', '');
  const preload = pathToFileURL(path.join(import.meta.dirname, 'record-loads.mjs')).href;
  const environment = { NODE_OPTIONS: `--import=${preload}`, KEN_TEST_LOADS: record };
  expect(await place.ken(words, { environment })).toMatchObject({ code });
  const lines = readFileSync(record, 'utf8').split('\n').filter(Boolean);
  return {
    layers: sorted(lines.filter((line) => line.endsWith('.cjs')).map((line) => path.basename(line, '.cjs'))),
    builtins: sorted(lines.filter((line) => line.startsWith('node:'))),
  };
}

export interface SourceLoads {
  /** Files of src/, without `src/`. */
  readonly sources: readonly string[];
  /** Names of npm packages. */
  readonly packages: readonly string[];
}

/** Runs the sources, which must end with `code`, and answers what V8's coverage says was loaded. */
export async function sourceLoads(place: Sandbox, words: readonly string[], code = 0): Promise<SourceLoads> {
  const coverage = temporaryDirectory();
  const run = promisify(execFile)(process.execPath, [path.join(project, 'src/main.ts'), ...words], {
    cwd: place.root,
    env: { ...runEnvironment(place.home, { NODE_V8_COVERAGE: coverage }) },
  });
  run.child.stdin?.end();
  const ended = await run.then(
    () => 0,
    (error: { readonly code: number }) => error.code,
  );
  expect(ended).toBe(code);
  const files = readdirSync(coverage).flatMap((name) => filesIn(path.join(coverage, name)));
  return {
    sources: sorted(files.flatMap((file) => (file.startsWith('src/') ? [file.slice('src/'.length)] : []))),
    packages: sorted(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])),
  };
}

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

function filesIn(coverage: string): string[] {
  const { result }: Coverage = JSON.parse(readFileSync(coverage, 'utf8'));
  const below = `${pathToFileURL(project).href}/`;
  return result.flatMap(({ url }) => (url.startsWith(below) ? [url.slice(below.length)] : []));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
