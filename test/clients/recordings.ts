/** Recordings of what the models of real clients would have read; `npm run test:clients` makes them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { estimateTokens } from '../../src/base/text.ts';
import { SCENARIOS } from './scenarios.ts';

export interface Recording {
  readonly name: string;
  readonly npm: string;
  /** In the order of the scenarios. */
  readonly results: readonly RecordedResult[];
  readonly hasInstructions: boolean;
  readonly hasRule: boolean;
  /** For clients with hooks. */
  readonly hooks?: { readonly atStart: boolean; readonly afterCompaction: boolean };
}

export interface RecordedResult {
  readonly scenario: string;
  /** Estimate of the whole. */
  readonly tokens: number;
  /** The whole, or of a long one its beginning and its end. */
  readonly seen: string;
}

const LONG = 4_000;

export function recordedResult(scenario: string, seen: string): RecordedResult {
  const shown = seen.length > LONG ? `${seen.slice(0, LONG / 4)} … ${seen.slice(-LONG / 4)}` : seen;
  return { scenario, tokens: estimateTokens(seen), seen: shown };
}

const directory = path.join(import.meta.dirname, 'recordings');

export function recordingFile(program: string): string {
  return path.join(directory, `${program}.json`);
}

export function recordings(): readonly Recording[] {
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory).sort();
  return files.map((file) => JSON.parse(readFileSync(path.join(directory, file), 'utf8')));
}

/** Empty for a recording in which everything that matters reached the model, within its bar. */
export function problemsOf({ results, hasInstructions, hasRule, hooks }: Recording): readonly string[] {
  const missing = SCENARIOS.flatMap(({ name, sentences, tokens }) => {
    const { seen = '', tokens: cost = 0 } = results.find(({ scenario }) => scenario === name) ?? {};
    return [
      ...sentences.filter((sentence) => !sentence.test(seen)).map((sentence) => `${name}: no ${sentence}`),
      ...(cost > tokens ? [`${name}: ${cost} tokens, more than ${tokens}`] : []),
    ];
  });
  return [
    ...missing,
    ...(hasInstructions ? [] : ['the instructions did not reach the model']),
    ...(hasRule ? [] : ['the rule did not reach the model']),
    ...(hooks && !hooks.atStart ? ['no hook spoke at the start'] : []),
    ...(hooks && !hooks.afterCompaction ? ['no hook spoke after the compaction'] : []),
  ];
}
