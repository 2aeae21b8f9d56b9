/** Texts of any number that look like software to an index: few words everywhere, many words hardly anywhere. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conversationIdAt } from '../src/domain/conversations/conversation-id.ts';
import type { IndexItem } from '../src/domain/search/index/index-item.ts';

const vocabulary = readFileSync(new URL('../models/ken-static-1/vocab.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** The same numbers in every run: a linear congruential generator. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The vocabulary stands in the order of frequency, so the frequency of a word falls with its rank. */
function word(random: () => number): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'the';
}

export function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

/** One of a quarter of a million names, some of them everywhere, most of them in a few places. */
export function identifier(random: () => number): string {
  const name = numbers(Math.floor(IDENTIFIERS ** random()));
  const [first, ...rest] = [word(name), word(name), word(name)];
  return [first, ...rest.map((each) => `${each.charAt(0).toUpperCase()}${each.slice(1)}`)].join('');
}

const IDENTIFIERS = 250_000;

/** About 900 characters each. */
function body(random: () => number): string {
  const lines: string[] = [];
  for (let line = 0; line < 14; line++) {
    const parts = Array.from({ length: 9 }, () => (random() < 0.12 ? identifier(random) : word(random)));
    lines.push(parts.join(' '));
  }
  return lines.join('\n');
}

/** Files of ten chunks. */
export function* syntheticItems(chunkCount: number): Generator<IndexItem> {
  const random = numbers(SEED);
  for (let file = 0; file * 10 < chunkCount; file++) {
    const path = `src/${word(random)}/${identifier(random)}-${file}.ts`;
    const chunks = Array.from({ length: Math.min(10, chunkCount - file * 10) }, (_, at) => ({
      heading: identifier(random),
      body: body(random),
      firstLine: at * 14 + 1,
      lastLine: at * 14 + 14,
    }));
    const shared = {
      source: 'refs',
      kind: 'chunk',
      topic: 'topic-synthetic',
      title: '',
      labels: new Map(),
    } as const;
    yield { ...shared, id: path, path, hash: String(file), meta: {}, chunks };
  }
}

/** As people ask: several words that stand together in some text. */
export function syntheticQuestions(count: number): string[] {
  const random = numbers(11);
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 + Math.floor(random() * 6) }, () => word(random)).join(' '),
  );
}

/** A line of the first chunk, so that there is an answer. */
export function answeredQuestion(): string {
  return body(numbers(SEED)).split('\n', 1)[0] ?? '';
}

const SEED = 7;
const START = Date.UTC(2026, 0, 1);
const CHUNKS_PER_CONVERSATION = 500;

/** So many chunks as what an assistant said, in conversations of a workspace. */
export function writeConversations(root: string, chunkCount: number): void {
  const random = numbers(SEED);
  for (let number = 0; number * CHUNKS_PER_CONVERSATION < chunkCount; number++) {
    const minute = START + number * 60_000;
    const at = new Date(minute).toISOString();
    const events = Array.from({ length: CHUNKS_PER_CONVERSATION }, (_, turn) => [
      { type: 'turn_start', at, turn: turn + 1 },
      { type: 'assistant_message', at, text: body(random), model: 'x/y', finish: 'stop' },
    ]);
    const directory = path.join(root, '.ken/conversations', conversationIdAt(minute, '0000'));
    mkdirSync(directory, { recursive: true });
    const metadata = { title: identifier(random), created_at: at, active_at: at, labels: {} };
    writeFileSync(path.join(directory, 'metadata.json'), JSON.stringify(metadata));
    writeFileSync(path.join(directory, 'base_config.json'), '{}');
    const lines = events.flat().map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(path.join(directory, 'events.jsonl'), lines.join(''));
  }
}
