import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { identifier, numbers, words } from '../synthetic-chunks.ts';
import type { LoadArea } from './area.ts';

const START = Date.UTC(2026, 0, 1);
const AT = new Date(START).toISOString();
const ID = conversationIdAt(START, '0000');
const BYTES_A_MEGABYTE = 1_000_000;
/** The length of an answer. */
const WORDS = 600;

const logOf = (directory: string) => path.join(directory, '.ken/conversations', ID, 'events.jsonl');

export const conversation: LoadArea = {
  name: 'conversation',
  unit: 'MB of one conversation',
  sizes: [20, 200, 600],
  fill({ directory }, size) {
    const random = numbers(9);
    mkdirSync(path.dirname(logOf(directory)), { recursive: true });
    writeMetadata(directory, AT);
    writeFileSync(path.join(path.dirname(logOf(directory)), 'base_config.json'), '{}');
    const file = openSync(logOf(directory), 'w');
    let written = 0;
    for (let turn = 1; written < size * BYTES_A_MEGABYTE; turn++)
      written += writeSync(file, turnLines(turn, words(random, WORDS), identifier(random)));
    closeSync(file);
  },
  steps: [
    { name: 'c ls', words: ['c', 'ls'] },
    { name: 'c show', words: ['c', 'show', ID] },
    { name: 'c print', words: ['c', 'print', ID] },
    { name: 'c grep', words: ['c', 'grep', 'kettle'], codes: [0, 1] },
    { name: 'c label add', words: ['c', 'label', 'add', '--id', ID, 'x=y'] },
    { name: 'search, first', words: ['search', 'kettle'], codes: [0, 1] },
    { name: 'search, again', words: ['search', 'kettle'], codes: [0, 1] },
    {
      name: 'search, after one more turn',
      words: ['search', 'kettle', 'whistles'],
      before({ directory }) {
        const question = 'When does it whistle?';
        appendFileSync(
          logOf(directory),
          turnLines(9_000_000, 'The kettle whistles at ninety degrees.', question),
        );
        // The label that was added before stays.
        writeMetadata(directory, new Date(START + 1000).toISOString(), { x: 'y' });
      },
    },
    {
      name: 'search, after one more label',
      words: ['search', 'kettle', 'whistles'],
      before: (bench) => bench.ken(['c', 'label', 'add', '--id', ID, 'z=y'])(),
    },
    { name: 'q', words: ['q', '--id', ID, 'What about the kettle?'], codes: [0, 1] },
    { name: 'c fork', words: ['c', 'fork', ID] },
    { name: 'c export', words: ['c', 'export', ID] },
    { name: 'doctor', words: ['doctor'], codes: [0, 6] },
  ],
};

function writeMetadata(directory: string, activeAt: string, labels = {}): void {
  const metadata = { title: 'A long conversation', created_at: AT, active_at: activeAt, labels };
  const file = path.join(path.dirname(logOf(directory)), 'metadata.json');
  writeFileSync(`${file}.new`, JSON.stringify(metadata));
  renameSync(`${file}.new`, file);
  // As ken does at every change below it.
  const [now, root] = [new Date(), path.join(directory, '.ken/conversations')];
  utimesSync(root, now, now);
}

function turnLines(turn: number, answer: string, question: string): string {
  const events = [
    { type: 'turn_start', at: AT, turn },
    { type: 'user_message', at: AT, text: question },
    { type: 'assistant_message', at: AT, text: answer, model: 'x/y', finish: 'stop' },
    { type: 'turn_end', at: AT, outcome: 'completed' },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
