import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { Row } from '../row.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const CONVERSATIONS = 10_000;
const GREPPED_CONVERSATIONS = 200;
const GREPPED_BYTES = 100 * 1024 * 1024;
const NEEDLE = 'outward bud';

const WORDS =
  'the rose should be cut in early spring just above a leaf "node" so that \\ air reaches it\n'.split(' ');

function conversation(root: string, number: number, events: string): void {
  const at = START + number * MINUTE_MS;
  const time = new Date(at).toISOString();
  const directory = path.join(root, '.ken/conversations', conversationIdAt(at, '0000'));
  const labels = { branch: `feat-${number % 50}`, team: number % 2 ? 'garden' : 'kitchen' };
  const metadata = { title: `Conversation ${number} about roses`, created_at: time, active_at: time, labels };
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'metadata.json'), JSON.stringify(metadata));
  writeFileSync(path.join(directory, 'base_config.json'), '{}');
  writeFileSync(path.join(directory, 'events.jsonl'), events);
}

/** Turns with texts of all lengths, as JSON lines; the needle once, in the middle. */
function longEvents(bytes: number): string {
  const lines: string[] = [];
  const at = new Date(START).toISOString();
  let size = 0;
  let random = 1;
  const add = (event: object) => {
    const line = JSON.stringify(event);
    lines.push(line);
    size += line.length + 1;
  };
  for (let turn = 1; size < bytes; turn++) {
    random = (random * 48_271) % 2_147_483_647;
    const text = Array.from(
      { length: 20 + (random % 500) },
      (_, word) => WORDS[(word * turn) % WORDS.length],
    ).join(' ');
    add({ type: 'turn_start', at, turn });
    add({ type: 'user_message', at, text: text.slice(0, 200) });
    add({
      type: 'tool_call',
      at,
      id: `c${turn}`,
      name: 'learn',
      arguments: { topic: 'garden', subjects: ['roses'] },
    });
    add({ type: 'tool_result', at, id: `c${turn}`, name: 'learn', outcome: { type: 'success', text } });
    add({ type: 'assistant_message', at, text, model: 'x/y', finish: 'stop' });
    add({ type: 'usage', at, model: 'x/y', input_tokens: 1000, output_tokens: 100 });
  }
  const found = {
    type: 'assistant_message',
    at,
    text: `Cut above an ${NEEDLE}.`,
    model: 'x/y',
    finish: 'stop',
  };
  lines.splice(Math.floor(lines.length / 2), 0, JSON.stringify(found));
  return `${lines.join('\n')}\n`;
}

const READ_AND_SEARCH = `
const { readdirSync, readFileSync } = require('node:fs');
let found = 0;
for (const name of readdirSync('.ken/conversations')) {
  if (readFileSync('.ken/conversations/' + name + '/events.jsonl').indexOf('${NEEDLE}') !== -1) found++;
}
process.exit(found === ${GREPPED_CONVERSATIONS} ? 0 : 1);`;

export const rows: readonly Row[] = [
  {
    name: 'conversation-list',
    subject: `ken c ls, ${CONVERSATIONS.toLocaleString('en')} conversations`,
    floor: 'node -e 0',
    bar: 3,
    prepare({ directory, ken, node }) {
      for (let number = 0; number < CONVERSATIONS; number++) conversation(directory, number, '');
      return { subject: ken(['c', 'ls']), floor: node(['-e', '0']) };
    },
  },
  {
    name: 'conversation-grep',
    subject: 'ken c grep, 100 MB of events',
    floor: 'node: read and indexOf',
    bar: 2.5,
    prepare({ directory, ken, node }) {
      const events = longEvents(GREPPED_BYTES / GREPPED_CONVERSATIONS);
      for (let number = 0; number < GREPPED_CONVERSATIONS; number++) conversation(directory, number, events);
      return { subject: ken(['c', 'grep', NEEDLE]), floor: node(['-e', READ_AND_SEARCH]) };
    },
  },
];
