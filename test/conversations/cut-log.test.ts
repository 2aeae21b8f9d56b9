import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fileConversationStore } from '../../src/adapters/files/conversations/conversation-store.ts';
import { sqliteWriterLocks } from '../../src/adapters/sqlite/seam/writer-locks.ts';
import { fixedClock } from '../../src/base/time.ts';
import { type ConversationId, conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import { eventLine } from '../../src/domain/conversations/event-line.ts';
import { success } from '../../src/domain/tools/tool.ts';
import { runTurn, type TurnTools } from '../../src/domain/turns/run-turn.ts';
import { type ScriptStep, scriptedModel } from '../doubles/scripted-model.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const clock = fixedClock(0);
const id = conversationIdAt(0, 'abcd');
const tools: TurnTools = {
  definitions: [],
  describe: async () => '',
  async call(call, { recordDecision }) {
    await recordDecision({ id: `of ${call.id}`, decision: 'approved', summary: 'May it?' });
    return { outcome: success(`noon ${call.id}`) };
  },
};
const retryPolicy = {
  maxRetries: 0,
  idleMs: 60_000,
  random: () => 0,
  wait: (_: number, signal: AbortSignal) =>
    new Promise<void>((done) => signal.addEventListener('abort', () => done())),
};
const calling = (name: string): ScriptStep => ({
  type: 'tool-call',
  call: { id: name, name: 'clock', arguments: {} },
});
const USAGE: ScriptStep = { type: 'usage', usage: { input_tokens: 1 } };
const CALLS: ScriptStep = { type: 'finish', finish: 'tool-calls' };
const DONE: readonly ScriptStep[] = [
  { type: 'reasoning-delta', text: 'Hm.' },
  { type: 'text-delta', text: 'Done. \u{1f44d}' },
  USAGE,
  { type: 'finish', finish: 'stop' },
];

function storeIn(directory: string) {
  const rootOf = (name: string) => ({
    directory: path.join(directory, name),
    list: path.join(directory, `${name}.list`),
  });
  return fileConversationStore({
    shared: rootOf('shared'),
    local: rootOf('local'),
    locks: sqliteWriterLocks(clock),
    clock,
    warn: () => {},
  });
}

/** A turn on the conversation as it is on disk; without a message, the one that was cut short goes on. */
async function turn(directory: string, replies: readonly (readonly ScriptStep[])[], text?: string) {
  const store = storeIn(directory);
  const writer = await store.write(id);
  if (!writer) throw new Error('There is no conversation.');
  const history = (await store.log(id))?.events ?? [];
  const message = text === undefined ? undefined : { text };
  const input = { conversation: id, history, preface: [], message, system: '', maxSteps: 9 };
  const ports = { model: scriptedModel(...replies), clock, tools, retryPolicy, writer };
  const told = await Array.fromAsync(runTurn(ports, input, new AbortController().signal));
  await writer.release();
  return { told, events: (await store.log(id))?.events ?? [] };
}

async function begin(directory: string): Promise<void> {
  const metadata = { createdAt: 0, activeAt: 0, labels: new Map<string, string>(), others: {} };
  await storeIn(directory).create({
    id: id as ConversationId,
    isLocal: false,
    metadata,
    baseConfig: {},
    events: [],
  });
}

it('a log cut off after any byte of a turn with tool calls goes on: nothing lost, nothing doubled', async () => {
  const directory = temporaryDirectory();
  await begin(directory);
  const log = path.join(directory, 'shared', id, 'events.jsonl');
  const aside = path.join(directory, 'shared', id, 'events.torn-1');
  const replies = [
    [{ type: 'text-delta', text: 'Wait.' } as const, calling('a'), calling('b'), USAGE, CALLS],
    [calling('c'), CALLS],
    DONE,
  ];
  const { events: whole } = await turn(directory, replies, 'Time?');
  const bytes = Buffer.from(whole.map((event) => `${eventLine(event)}\n`).join(''));
  const question = bytes.indexOf('\n', bytes.indexOf('user_message')) + 1;

  for (const cut of cuts(bytes, question)) {
    writeFileSync(log, bytes.subarray(0, cut));
    const before = wholeLines(bytes, cut);
    const { events } = await turn(directory, [DONE]);
    expect(events.slice(0, before.length), `cut at ${cut}`).toEqual(before);
    checkOnce(events, `cut at ${cut}`);
    const torn = bytes.subarray(bytes.lastIndexOf('\n', cut - 1) + 1, cut);
    expect(existsSync(aside) ? readFileSync(aside) : Buffer.of(), `cut at ${cut}`).toEqual(torn);
    // Each cut has the first name for what is set aside, and does not have to look for a free one.
    rmSync(aside, { force: true });
  }
}, 600_000);

/** Between any two events, and in each its first byte, its middle, the middle of a character, all but its line end. */
function cuts(bytes: Buffer, from: number): number[] {
  if (scaled(1) > 1) return Array.from({ length: bytes.length - from }, (_, at) => from + at);
  const found = [bytes.indexOf('\u{1f44d}') + 2];
  for (let start = from; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    found.push(start, start + 1, Math.floor((start + end) / 2), end);
    start = end + 1;
  }
  return found;
}

/** The events whose lines are on disk whole. */
function wholeLines(bytes: Buffer, cut: number): ConversationEvent[] {
  const lines = bytes.toString('utf8', 0, bytes.lastIndexOf('\n', cut - 1) + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ConversationEvent);
}

function checkOnce(events: readonly ConversationEvent[], where: string): void {
  const ids = (type: 'tool_call' | 'tool_result') =>
    events.flatMap((event) => (event.type === type ? [event.id] : [])).sort();
  const calls = ids('tool_call');
  expect(new Set(calls).size, where).toBe(calls.length);
  expect(ids('tool_result'), where).toEqual(calls);
  for (const type of ['turn_start', 'user_message'])
    expect(
      events.filter((event) => event.type === type),
      where,
    ).toHaveLength(1);
  expect(
    events.findLast(({ type }) => type === 'assistant_message'),
    where,
  ).toMatchObject({
    text: 'Done. \u{1f44d}',
    finish: 'stop',
  });
}
