import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { replayServer } from '../recorded/replay-server.ts';
import { type Said, scriptedModel } from '../tools/model-script.ts';
import { type PageHere, pageHere } from './page-here.ts';
import { ownForm } from './serve-page.ts';

const CHUNK = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const WORDS = Array.from({ length: 2_000 }, (_, at) => `word${at}`);

/** The stream of a model that says these words one by one. */
function spoken(words: readonly string[]): string {
  const chunks = words.map((word) => ({
    ...CHUNK,
    choices: [{ index: 0, delta: { content: `${word} ` }, finish_reason: null }],
  }));
  const end = { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  return `${[...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

function called(id: string, name: string, given: object): string {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
  const chunks = [
    { ...CHUNK, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] },
    { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

const SEARCH = { query: 'deploy' };

/**
 * A page whose model makes three calls, of which one waits for an approval, and then says 2,000 words in pieces; the
 * second half of them once `until` resolves.
 */
async function talkingPage(until: () => Promise<void>): Promise<PageHere> {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n\nWe deploy on Tuesdays.\n');
  const said = spoken(WORDS);
  const model = await replayServer([
    { body: called('c1', 'search', SEARCH) },
    { body: called('c2', 'web_fetch', { url: 'http://127.0.0.1:9/' }) },
    { body: called('c3', 'show', { uri: 'ken://kb/project/deploy' }) },
    { body: said, piece: 4_096, pause: { at: Math.floor(said.length / 2), until } },
  ]);
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${model.url}/v1" }`;
  writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
  return pageHere(place);
}

/** The events of one stream, until it is cut after `most`, or ends. */
function follow(page: PageHere, key: string, most: number, seen: () => Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(`http://${page.host}`);
    const headers = { host: page.host, cookie: page.cookie };
    const path = `/conversations/turn/events?key=${key}`;
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let count = 0;
      let isEnded = false;
      let looking: Promise<unknown> = Promise.resolve();
      response.setEncoding('utf8').on('data', (data: string) => {
        isEnded ||= data.includes('data: ended');
        looking = looking.then(seen);
        count += 1;
        if (count >= most && !isEnded) response.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => looking.then(() => resolve(isEnded), reject));
    });
    sent.on('error', () => {});
    sent.end();
  });
}

interface ShownTurn {
  readonly text: string;
  readonly calls: readonly { readonly state: string }[];
  readonly waiting: readonly { readonly id: string; readonly digest: string }[];
  readonly end: object | null;
}

const MOST_CUTS = 8;

it('loses and doubles no word of a long answer whose stream is cut and resumed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const page = await talkingPage(() => promise);
  const { at } = await page.send('/conversations/ask', { question: 'How?', back: '/conversations' });
  const key = new URL(at, 'http://x').searchParams.get('key') ?? '';
  const whole = `${WORDS.join(' ')} `;
  const texts: string[] = [];
  const turn = async (): Promise<ShownTurn> =>
    JSON.parse((await page.get(`/conversations/turn.json?key=${key}`)).body).turn;
  let approvals = 0;
  const look = async () => {
    const { text, waiting } = await turn();
    texts.push(text);
    for (const { id, digest } of waiting) {
      approvals += 1;
      await page.send('/approvals/approve', { id, digest, back: at });
    }
  };
  let cuts = 0;
  while (!(await follow(page, key, cuts < MOST_CUTS ? 1 : 3, look))) {
    cuts += 1;
    // The rest is said once the stream was cut often enough in the middle of the text.
    if (cuts >= MOST_CUTS && texts.at(-1) !== '') resolve();
  }
  const { text, calls, end } = await turn();
  expect(cuts).toBeGreaterThanOrEqual(MOST_CUTS);
  expect(approvals).toBe(1);
  expect(calls.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
  expect(end).toEqual({ kind: 'ended', reason: 'answered' });
  expect(text).toBe(whole);
  expect(texts.filter((each) => !whole.startsWith(each))).toEqual([]);
  expect(new Set(texts).size).toBeGreaterThan(2);
  const shown = (await page.get(at)).body;
  expect([...shown.matchAll(/word1999\b/g)].length).toBe(1);
  expect(page.bugs).toEqual([]);
}, 60_000);

async function asked(...said: readonly Said[]) {
  const model = await scriptedModel(...said);
  const place = sandboxHere('');
  writeOwnConfig(place.home, model.config);
  return { place, model, page: await pageHere(place) };
}

it('attaches files that a browser sends, and refuses what cannot be attached', async () => {
  const { model, page } = await asked('It says tea.');
  const token = /name="form_token" value="([0-9a-f]+)"/.exec((await page.get('/')).body)?.[1] ?? '';
  const ask = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set('form_token', token);
    form.set('question', 'What does it say?');
    form.set('files', new Blob([content]), name);
    const coded = new Response(form);
    const headers = {
      ...ownForm(page.host),
      cookie: page.cookie,
      'content-type': coded.headers.get('content-type') ?? '',
    };
    return page.ask({ method: 'POST', path: '/conversations/ask', headers, body: await coded.text() });
  };
  expect((await ask('a.bin', 'a\0b')).body).toContain('a.bin is not UTF-8 text.');
  expect((await ask('a.png', 'no image')).body).toContain('its content is not image/png');
  expect((await ask('big.md', 'x'.repeat(1_100_000))).body).toContain('larger than');
  const { status, headers } = await ask('../../etc/notes.md', 'Tea at four.');
  expect(status).toBe(303);
  const to = headers.location ?? '';
  await expect.poll(async () => (await page.get(to)).body).toContain('It says tea.');
  expect(JSON.stringify(model.sent()[0].messages)).toContain('Tea at four.');
  const { conversation } = JSON.parse((await page.get(to.replace('/turn?', '/turn.json?'))).body).turn;
  const { events } = JSON.parse((await page.get(`/conversations/show.json?id=${conversation}`)).body);
  expect(events).toContainEqual(
    expect.objectContaining({ attachments: [{ source: 'notes.md', text: 'Tea at four.' }] }),
  );
  const other = await page.ask({
    method: 'POST',
    path: '/sign-out',
    headers: {
      ...ownForm(page.host),
      cookie: page.cookie,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: '',
  });
  expect(other.status).toBe(415);
});

it('forks, exports, labels, renames and archives a conversation', async () => {
  const { place, page } = await asked('One.', 'Two.');
  await place.ken(['q', 'First?']);
  const [{ id }] = JSON.parse((await place.ken(['c', 'ls', '--json'])).stdout).conversations;
  await place.ken(['q', '--id', id, 'Second?']);
  const back = `/conversations/show?id=${id}`;
  const labelled = await page.send('/conversations/label', { id, labels: 'team=a done', back });
  expect(labelled.body).toContain('team=a \u00d7');
  expect((await page.send('/conversations/label', { id, labels: 'done-', back })).body).not.toContain(
    'done \u00d7',
  );
  await page.send('/conversations/title', { id, title: 'Deploying', back });
  const fork = await page.send('/conversations/fork', { id, turns: '1', back });
  expect(fork.body).toContain('One.');
  expect(fork.body).not.toContain('Two.');
  const { conversations, counts } = JSON.parse((await page.get('/conversations.json?label=team%3Da')).body);
  expect(conversations).toMatchObject([
    { title: 'Deploying', isFork: true, labels: ['team=a'] },
    { id, title: 'Deploying', isFork: false },
  ]);
  expect(counts).toEqual([{ label: 'team=a', count: 2 }]);
  const exported = await page.get(`/conversations/export?id=${id}&format=jsonl`);
  const cli = await place.ken(['c', 'export', id, '--format', 'jsonl']);
  expect(exported.body).toBe(cli.stdout);
  expect((await page.get(`/conversations/export?id=${id}`)).body).toContain('# Deploying\n');
  await page.send('/conversations/archive', { id, archived: '1', back });
  expect(JSON.parse((await page.get('/conversations.json?archived=1')).body).conversations).toMatchObject([
    { id },
  ]);
  expect(page.bugs).toEqual([]);
});

/** A tool that asks whether it may, and then which colour. */
const ASK = `process.stdin.on('data', (input) => {
  const { answers } = JSON.parse(input).tool;
  const asked = ['sure', 'color'].find((id) => !(id in answers));
  console.log(asked === undefined ? JSON.stringify(answers) : JSON.stringify({ type: 'needs-input', question: {
    id: asked, text: asked + '?', 'answer-type': asked === 'sure' ? 'boolean' : { select: { options: ['red', 'blue'] } } } }));
})`;

it('puts the questions of a tool in the answer, and takes answers of the right kind only', async () => {
  const { place, page } = await asked({ call: 'paint', with: {} }, 'Painted.');
  const program = { program: process.execPath, args: ['-e', ASK] };
  const own = `${readFileSync(path.join(place.home, 'config/config.toml'), 'utf8')}
[conversation.tools.paint]
run = "unattended"
command = { program = ${JSON.stringify(program.program)}, args = ["-e", ${JSON.stringify(ASK)}] }
`;
  writeFileSync(path.join(place.home, 'config/config.toml'), own);
  const other = await pageHere(place);
  const { at } = await other.send('/conversations/ask', { question: 'Paint it.', back: '/conversations' });
  const key = new URL(at, 'http://x').searchParams.get('key') ?? '';
  const turn = async () => JSON.parse((await other.get(`/conversations/turn.json?key=${key}`)).body).turn;
  const answer = (question: string, given: string) =>
    other.send('/conversations/answer', { key, question, answer: given });
  await expect.poll(async () => (await turn()).questions.length).toBe(1);
  const [sure] = (await turn()).questions;
  expect((await other.get(at)).body).toContain('sure?');
  await answer(sure.key, 'yes');
  await expect.poll(async () => (await turn()).questions[0]?.question.id).toBe('color');
  const [color] = (await turn()).questions;
  expect((await answer(color.key, 'green')).body).toContain('no longer waits');
  expect((await answer(sure.key, 'no')).body).toContain('no longer waits');
  await answer(color.key, 'blue');
  await expect.poll(async () => (await turn()).end).toEqual({ kind: 'ended', reason: 'answered' });
  const { conversation } = await turn();
  const { events } = JSON.parse((await other.get(`/conversations/show.json?id=${conversation}`)).body);
  expect(events).toContainEqual(
    expect.objectContaining({ outcome: { type: 'success', text: '{"sure":true,"color":"blue"}\n' } }),
  );
  expect([...page.bugs, ...other.bugs]).toEqual([]);
});

it('asks also where a standing approval of the terminal that serves the page would do', async () => {
  const { place } = await asked('Hello.', { call: 'paint', with: {} }, 'Painted.');
  const file = path.join(place.home, 'config/config.toml');
  const tool = `[conversation.tools.paint]\nrun = "ask"\ncommand = { program = "true", args = [] }\n`;
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${tool}`);
  const decision = { by: 'ada', at: 0, through: 'terminal' } as const;
  const changeOpened = (app: App): App => ({
    ...app,
    operator: {
      ...app.operator,
      name: () => app.operator.name(),
      presence: (...of) => app.operator.presence(...of),
      terminal: async () => 'pts/1',
    },
    standingApprovals: {
      ...{ add: async () => {}, list: async () => [], revoke: async () => false },
      find: async (covered) => ({
        ...covered,
        id: '1',
        tool: 'paint',
        covers: '',
        created: 0,
        expires: Date.now() * 2,
        decision,
      }),
    },
  });
  const other = await pageHere(place, { changeOpened });
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const { at } = await other.send('/conversations/ask', { back: '/conversations', ...fields });
    const key = new URL(at, 'http://x').searchParams.get('key') ?? '';
    return async () => JSON.parse((await other.get(`/conversations/turn.json?key=${key}`)).body).turn;
  };
  const first = await ask({ question: 'Hello?' });
  await expect.poll(async () => (await first()).end).toEqual({ kind: 'ended', reason: 'answered' });
  const second = await ask({ question: 'Paint it.', conversation: (await first()).conversation });
  await expect.poll(async () => (await second()).waiting.length + ((await second()).end ? 10 : 0)).toBe(1);
  const [{ id, digest }] = (await second()).waiting;
  await other.send('/approvals/deny', { id, digest, back: '/approvals' });
  await expect.poll(async () => (await second()).end).not.toBeNull();
  expect(other.bugs).toEqual([]);
});

it('asks in the answer itself for attachments that the configuration names, not at its terminal', async () => {
  const { place, model } = await asked('Read.');
  const outside = path.join(place.home, 'notes.txt');
  writeFileSync(outside, 'Kettle notes.');
  const file = path.join(place.home, 'config/config.toml');
  const attachments = JSON.stringify(['cmd:echo steeped', outside]);
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n[conversation]\nattachments = ${attachments}\n`);
  const other = await pageHere(place);
  const { at } = await other.send('/conversations/ask', { question: 'What?', back: '/conversations' });
  const key = new URL(at, 'http://x').searchParams.get('key') ?? '';
  const turn = async () => JSON.parse((await other.get(`/conversations/turn.json?key=${key}`)).body).turn;
  for (const summary of [/echo steeped/, /notes\.txt/]) {
    await expect.poll(async () => (await turn()).waiting.length).toBe(1);
    const [{ id, digest, ...approval }] = (await turn()).waiting;
    expect(JSON.stringify(approval)).toMatch(summary);
    await other.send('/approvals/approve', { id, digest, back: at });
    await expect
      .poll(async () => (await turn()).waiting.map((each: { id: string }) => each.id))
      .not.toContain(id);
  }
  await expect.poll(async () => (await turn()).end).toEqual({ kind: 'ended', reason: 'answered' });
  expect(JSON.stringify(model.sent())).toContain('Kettle notes.');
  expect(JSON.stringify(model.sent())).toContain('steeped');
});
