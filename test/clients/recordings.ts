/** Recordings of what the models of real clients would have read; `npm run test:clients` makes them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { estimateTokens } from '../../src/base/text.ts';
import { RULE, SCENARIOS } from './scenarios.ts';

export interface Recording {
  readonly name: string;
  readonly npm: string;
  /** Whether it hands on the text and the data of an answer. */
  readonly hasBothForms?: boolean;
  /** Whether it keeps the instructions of servers, and the rules in them, from its model. */
  readonly keepsInstructions?: boolean;
  /** Tools that its model is offered from the entry that `ken setup` wrote. */
  readonly setUpTools?: string;
  /** In the order of the scenarios. */
  readonly results: readonly RecordedResult[];
  readonly hasInstructions: boolean;
  readonly hasRule: boolean;
  /** Tools that it shows at once when it defers those of servers. */
  readonly shownAtOnce?: string;
  /** The texts that hooks put into the requests, for clients with hooks. */
  readonly hooks?: { readonly atStart: string; readonly afterCompaction: string };
}

export interface RecordedResult {
  readonly scenario: string;
  /** Estimate of the whole. */
  readonly tokens: number;
  /** The whole, or of a long one its beginning and its end. */
  readonly seen: string;
}

const LONG = 4_000;

export function recordedResult(scenario: string, said: string): RecordedResult {
  const seen = withSameIds(said);
  const shown = seen.length > LONG ? `${seen.slice(0, LONG / 4)} … ${seen.slice(-LONG / 4)}` : seen;
  return { scenario, tokens: estimateTokens(seen), seen: shown };
}

/** Numbers the ids of each text, and forgets how long a call took, so that a recording says the same every time. */
export function withSameIds(text: string): string {
  const known = new Map<string, string>();
  return text
    .replaceAll(/(?<=Wall time: )[\d.]+/g, '1.0000')
    .replaceAll(/\b01[0-9A-Z]{24}\b|(?<![0-9a-f])[0-9a-f]{12,64}(?![0-9a-f])/g, (id) => {
      if (!known.has(id)) known.set(id, `01${`${known.size + 1}`.padStart(id.length - 2, '0')}`);
      return known.get(id) ?? id;
    });
}

/** The tools that ken serves unless it is told otherwise. */
const SERVED =
  'job_status, kb_propose, knowledge_add, knowledge_feedback, knowledge_promote, learn, reference_topic_create, ' +
  'reference_topic_list, search, show';

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
export function problemsOf({
  results,
  hasBothForms,
  keepsInstructions,
  setUpTools,
  hasInstructions,
  hasRule,
  shownAtOnce,
  hooks,
}: Recording): readonly string[] {
  const missing = SCENARIOS.flatMap(({ name, sentences, tokens, isForEachForm }) => {
    const most = hasBothForms && isForEachForm ? 2 * tokens : tokens;
    const { seen = '', tokens: cost = 0 } = results.find(({ scenario }) => scenario === name) ?? {};
    return [
      ...sentences.filter((sentence) => !sentence.test(seen)).map((sentence) => `${name}: no ${sentence}`),
      ...(cost > most ? [`${name}: ${cost} tokens, more than ${most}`] : []),
    ];
  });
  return [
    ...missing,
    ...(setUpTools !== undefined && setUpTools !== SERVED
      ? [`after ken setup its model is offered ${setUpTools}, not ${SERVED}`]
      : []),
    ...(hasInstructions || keepsInstructions ? [] : ['the instructions did not reach the model']),
    ...(hasRule ? [] : ['the rule did not reach the model']),
    ...(shownAtOnce !== undefined && shownAtOnce !== 'learn, search'
      ? [`its model is shown ${shownAtOnce} at once, not learn and search`]
      : []),
    ...(hooks && !hooks.atStart.includes(RULE) ? ['no hook told the rule at the start'] : []),
    ...(hooks && !hooks.afterCompaction.includes(RULE) ? ['no hook told the rule after the compaction'] : []),
  ];
}
