import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { type ConversationId, conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type Conversations, conversationsIn, said } from './conversations-in.ts';
import { killWhileWriting } from './kill-while-writing.ts';

const program = childProgram('reliability/conversations');
const CONTENDED = conversationIdAt(1_790_000_000_000, '0000');
const EVERY = { labels: [], archived: 'with', local: 'with' } as const;

async function contended({ store }: Conversations): Promise<void> {
  const metadata = { createdAt: 0, activeAt: 0, labels: new Map<string, string>(), others: {} };
  await store.create({ id: CONTENDED, isLocal: false, metadata, baseConfig: {}, events: [] });
}

function run(words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise<{ code: number | null; errors: string; lines: string[] }>((resolve) => {
    child.on('close', (code) =>
      resolve({ code, errors, lines: output.split('\n').filter((line) => line.includes(' ')) }),
    );
  });
}

/** By conversation, the texts that were acknowledged, in order. */
function acknowledgedBy(lines: readonly string[]): Map<ConversationId, string[]> {
  const found = new Map<ConversationId, string[]>();
  for (const line of lines) {
    const [id = '', ...words] = line.split(' ');
    const texts = found.get(id as ConversationId) ?? [];
    found.set(id as ConversationId, [...texts, words.join(' ')]);
  }
  return found;
}

async function textsOf({ store }: Conversations, id: ConversationId): Promise<string[]> {
  const log = await store.log(id);
  expect(log).toMatchObject({ unreadable: [] });
  expect(log?.torn).toBeUndefined();
  return (log?.events ?? []).flatMap((event) => (event.type === 'user_message' ? [event.text] : []));
}

it('8 processes that append at once, to their own and to one conversation, lose nothing', async () => {
  const directory = temporaryDirectory();
  const conversations = conversationsIn(directory);
  await contended(conversations);
  const count = scaled(250);
  const names = Array.from({ length: 8 }, (_, at) => `writer${at}`);
  const ends = await Promise.all(
    names.map((name) => run(['append', directory, name, String(count), CONTENDED])),
  );
  expect(ends.map(({ code, errors, lines }) => ({ code, errors, lines: lines.length }))).toEqual(
    names.map(() => ({ code: 0, errors: '', lines: count })),
  );
  for (const [at, { lines }] of ends.entries()) {
    for (const [id, texts] of acknowledgedBy(lines)) {
      const mine = (await textsOf(conversations, id)).filter((text) => text.startsWith(`writer${at}-`));
      // Two events each, side by side: nobody came between them.
      expect(mine).toEqual(texts.flatMap((text) => [text, `${text} again`]));
    }
  }
  const shared = await textsOf(conversations, CONTENDED);
  expect(shared).toHaveLength(2 * 8 * Math.ceil(count / 5));
  for (let at = 0; at < shared.length; at += 2) expect(shared[at + 1]).toBe(`${shared[at]} again`);
  expect(await conversations.store.list(EVERY)).toHaveLength(9);
  expect(conversations.warnings).toEqual([]);
});

it('a process that is killed while it appends loses nothing it acknowledged, and locks nobody out', async (context) => {
  const directory = temporaryDirectory();
  const conversations = conversationsIn(directory);
  await contended(conversations);
  const expected: string[] = [];
  const phases = await killWhileWriting(
    (round) => ({
      command: process.execPath,
      arguments: [program, 'append', directory, `round${round}`, '40', CONTENDED],
    }),
    scaled(6, 150),
    async ({ acknowledged }, round) => {
      for (const [id, texts] of acknowledgedBy(acknowledged)) {
        // Taking the place of the dead writer sets aside what it left half.
        const writer = await conversations.store.write(id);
        await writer?.append([said(`after ${round}`)]);
        await writer?.release();
        const mine = (await textsOf(conversations, id)).filter((text) => text.startsWith(`round${round}-`));
        const told = texts.flatMap((text) => [text, `${text} again`]);
        expect(mine.slice(0, told.length)).toEqual(told);
        expect(mine.length - told.length).toBeLessThanOrEqual(2);
        if (id === CONTENDED) expected.push(...told);
      }
      await conversations.store.list(EVERY);
    },
  );
  await context.annotate(`killed: ${JSON.stringify(phases)}`);
  expect(phases.inside).toBeGreaterThan(0);
  expect(await textsOf(conversations, CONTENDED)).toEqual(expect.arrayContaining(expected));
});

it('a process that is killed while it makes conversations leaves whole ones or none', async (context) => {
  const directory = temporaryDirectory();
  const conversations = conversationsIn(directory);
  const told = new Map<ConversationId, string>();
  const phases = await killWhileWriting(
    (round) => ({
      command: process.execPath,
      arguments: [program, 'create', directory, `round${round}`, '20'],
    }),
    scaled(6, 150),
    ({ acknowledged }) => {
      for (const [id, titles] of acknowledgedBy(acknowledged)) told.set(id, titles.at(-1) ?? '');
    },
  );
  await context.annotate(`killed: ${JSON.stringify(phases)}`);
  expect(phases.inside).toBeGreaterThan(0);
  const listed = new Map(
    (await conversations.store.list(EVERY)).map(({ id, metadata }) => [id, metadata.title]),
  );
  for (const id of await conversations.store.ids()) {
    const title = listed.get(id);
    expect(title).toMatch(/^round\d+-\d+( renamed)?$/);
    // A title that was acknowledged holds, unless the next one was being written.
    if (told.has(id)) expect([told.get(id), `${told.get(id)} renamed`]).toContain(title);
    expect(await textsOf(conversations, id)).toEqual([title?.replace(' renamed', '')]);
    expect(await conversations.store.baseConfig(id)).toMatchObject({ assistant: {} });
  }
  for (const id of told.keys()) expect(listed.has(id)).toBe(true);
});
