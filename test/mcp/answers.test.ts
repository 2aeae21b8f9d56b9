/** The bars of what an answer may cost, and odd arguments for each tool. */

import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { estimateTokens } from '../../src/base/text.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { connect, textOf } from './connect.ts';

const example = path.join(import.meta.dirname, '../../examples/workspace');

async function connected(): Promise<Client> {
  const place = sandboxHere('');
  cpSync(example, place.root, { recursive: true });
  const { client } = await connect(place);
  return client;
}

interface Answered {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown> | undefined;
}

async function ask(client: Client, name: string, given: unknown): Promise<Answered> {
  const {
    isError = false,
    structuredContent,
    ...answer
  } = await client.callTool({
    name,
    arguments: given as Record<string, unknown>,
  });
  return { isError, text: textOf(answer), data: structuredContent as Answered['data'] };
}

const QUESTIONS = [
  'how do we deploy',
  'which port does the api use',
  'database migration',
  'who is on call',
  'ferry',
  'booking refund rules',
  'incident runbook "exact words"',
  'which zebra won the regatta in Ulan Bator',
  '"',
];

it('keeps each search within its budget, with and without details, and an abstention within 250 tokens', async () => {
  const client = await connected();
  const over: string[] = [];
  const outcomes = new Set<unknown>();
  for (const question of QUESTIONS) {
    for (const budget of [300, 1000, 4000]) {
      for (const details of [false, true]) {
        const { text, data } = await ask(client, 'search', { question, budget, details });
        outcomes.add(data?.outcome);
        const bar = data?.outcome === 'answers' ? budget + Math.max(0.15 * budget, 150) : 250;
        const cost = Math.max(estimateTokens(text), estimateTokens(JSON.stringify(data)));
        if (cost > bar) over.push(`${question} ${budget} ${details}: ${cost}`);
      }
    }
  }
  expect(over).toEqual([]);
  expect(outcomes).toEqual(new Set(['answers', 'nearest', 'nothing']));
}, 60_000);

it('gives the best hit whatever the budget is', async () => {
  const client = await connected();
  const uris = async (budget: number) => {
    const { data } = await ask(client, 'search', { question: 'how do we deploy', budget, details: true });
    return (data as { hits: { uri: string }[] }).hits.map(({ uri }) => uri);
  };
  const [best] = await uris(8000);
  for (const budget of [50, 100, 200, 300]) expect((await uris(budget))[0]).toBe(best);
});

const FACT = { title: 'T', text: 'x', provenance: ['cmd:ls'] };
const big = 'x'.repeat(70_000);
const GIT = { type: 'git', url: 'https://github.com/a/b' };
const DEPLOY = 'ken://kb/project/operations/deploy';

/** Whole answers of errors; a regular expression where a list of names follows. */
const REFUSED: readonly [tool: string, given: object, said: string | RegExp][] = [
  ['search', {}, /question: is required/],
  ['search', { question: '  ' }, '"question" must say what to look for.'],
  ['search', { question: 'a', in: 'kb' }, /in: must be a list, not the text "kb"/],
  ['search', { question: 'a', limit: 1.5 }, /limit: must be a whole number/],
  ['search', { question: 'a', budget: 1e12 }, /budget: must be at most 20000/],
  ['search', { question: 'a', labels: ['='] }, /Write for example .*\. Quote a value/],
  ['search', { question: 'a', paths: ['../../etc'] }, /^Nothing is indexed at \.\.\/\.\.\/etc\./],
  ['search', { question: big }, 'The question is longer than 8 KiB. Ask in fewer words.'],
  ['search', { question: 'a', paths: Array(300).fill('a') }, '"paths" has more than 200 items.'],
  ['search', { query: 'deploy', question: 'deploy' }, /query: is not known here/],
  ['learn', { topic: 'project', question: big }, 'The question is longer than 8 KiB. Ask in fewer words.'],
  ['learn', { topic: 'project', query: big }, 'The question is longer than 8 KiB. Ask in fewer words.'],
  ['learn', { topic: 'nope' }, /^There is no topic "nope"\. Valid topics: project/],
  ['learn', { topic: big }, /^There is no topic "x{200}…"\./],
  [
    'learn',
    { topic: 'project', subjects: 'deploy' },
    'No subject of topic "project" matches "deploy". Did you mean operations/deploy?',
  ],
  ['learn', { topic: 'project', subjects: ['../x'] }, /^No subject of topic "project" matches "\.\.\/x"/],
  ['show', { uri: 'file:///etc/passwd' }, /"file:\/\/\/etc\/passwd" is not a citation/],
  ['show', { uri: `${DEPLOY}?sha256=zz#L1` }, /is not a citation/],
  [
    'show',
    { uri: DEPLOY, lines: '9-3' },
    '"lines" is the number of a line, or of the first and the last: "3-9".',
  ],
  ['show', { uri: DEPLOY, lines: '0' }, /"lines" is the number of a line/],
  [
    'show',
    { uri: 'ken://kb/project/../../etc/passwd' },
    /The topic has no subject "\.\.\/\.\.\/etc\/passwd"/,
  ],
  ['show', { uri: big }, '"uri" is longer than 8 KiB.'],
  ['knowledge_add', { ...FACT, title: big }, '"title" is longer than 8 KiB.'],
  [
    'knowledge_add',
    { ...FACT, text: big },
    'A fact has at most 64 KiB. Keep the important part, and cite the rest.',
  ],
  ['knowledge_add', { ...FACT, tags: Array(300).fill('t') }, '"tags" has more than 200 items.'],
  ['knowledge_add', { ...FACT, provenance: ['url:javascript:alert(1)'] }, /Write the address of a page/],
  ['knowledge_add', { ...FACT, provenance: ['the user said so'] }, /person:NAME or meeting:/],
  [
    'knowledge_add',
    { ...FACT, text: `AKIA${'Q'.repeat(16)}` },
    /^This looks like a secret .*\nTake it out\.$/,
  ],
  [
    'knowledge_feedback',
    { question: 'q', returned_ids: ['nope'], used_ids: [], outcome: 'helped' },
    /no entry/,
  ],
  [
    'knowledge_feedback',
    { question: big, returned_ids: [], used_ids: [], outcome: 'helped' },
    'The question is longer than 8 KiB. Ask in fewer words.',
  ],
  ['knowledge_feedback', { question: 'q', returned_ids: [], used_ids: ['b'], outcome: 'helped' }, /subset/],
  [
    'knowledge_promote',
    { source_entry_id: 'x', evidence_refs: [], reason: 'r', as: 'x' },
    /must not be empty/,
  ],
  ['kb_propose', { topic: 'project', slug: '../../evil', text: 'x' }, /"..\/..\/evil" cannot be proposed/],
  ['kb_propose', { topic: 'project', slug: 'a\nb', text: 'x' }, /^"a\\nb" cannot be proposed/],
  ['kb_propose', { topic: 'ken', slug: 'a', text: 'x' }, /^There is no topic "ken"/],
  ['reference_topic_list', { question: big }, 'The question is longer than 8 KiB. Ask in fewer words.'],
  ['reference_topic_list', { include_obsolete: 'x' }, /must be true or false/],
  ['reference_topic_create', { title: 'X', sources: [] }, /sources: must not be empty/],
  ['reference_topic_create', { title: 'X', sources: [{ type: 'git', url: 'ftp://x' }] }, /^ftp: addresses/],
  ['reference_topic_create', { title: big, sources: [GIT] }, '"title" is longer than 8 KiB.'],
  ['job_status', { id: '../../x' }, 'This workspace has no job and no request "../../x".'],
  ['job_status', { id: big }, '"id" is longer than 8 KiB.'],
];

/** An option, a command of ken, or a hint that shows the way around a check. */
const COMMAND_LINE = /(?:^|\s)--?[a-z]|"ken |allow-secret/m;

it('refuses odd arguments of every tool in a sentence, without words of the command line', async () => {
  const client = await connected();
  for (const [tool, given, said] of REFUSED) {
    const { isError, text } = await ask(client, tool, given);
    const asked = `${tool} ${JSON.stringify(given).slice(0, 80)}`;
    expect(isError, asked).toBe(true);
    if (typeof said === 'string') expect(text, asked).toBe(said);
    else expect(text, asked).toMatch(said);
    expect(text.length, asked).toBeLessThan(5_000);
    expect(text, asked).not.toMatch(COMMAND_LINE);
  }
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  expect(tools.filter((name) => !REFUSED.some(([tool]) => tool === name))).toEqual([]);
});

it('says the same in text and data where there is nothing', async () => {
  const client = await connected();
  for (const [tool, given, said] of [
    ['reference_topic_list', {}, 'There is no reference topic.'],
    ['reference_topic_list', { question: 'axum' }, 'No reference topic is about this.'],
    ['search', { question: '"' }, 'Nothing was found.'],
    ['learn', { topic: 'ken', subjects: 'rules' }, 'No rule is in force.'],
  ] as const) {
    const { text, data } = await ask(client, tool, given);
    expect([text, data?.text]).toEqual([said, said]);
  }
});

/** Calls that succeed, of every tool, in a workspace with a fact and a request that waits. */
async function answersOfAllTools(client: Client): Promise<ReadonlyMap<string, Answered>> {
  const fact = await ask(client, 'knowledge_add', {
    ...FACT,
    text: 'The API is on 8080.',
    merge_key: 'port',
  });
  const id = String(fact.data?.id);
  const rule = { source_entry_id: id, evidence_refs: ['commit:abc'], reason: 'r', as: 'procedural/port' };
  const waiting = await ask(client, 'knowledge_promote', rule);
  const calls: readonly [string, string, object][] = [
    ['search', 'search', { question: 'how do we deploy' }],
    ['nearest', 'search', { question: 'booking refund rules' }],
    ['topic', 'learn', { topic: 'project' }],
    ['one subject', 'learn', { topic: 'project', subjects: 'operations/deploy' }],
    ['subjects', 'learn', { topic: 'project', subjects: ['operations/*', 'none'] }],
    ['question', 'learn', { topic: 'project', question: 'deploy' }],
    ['show', 'show', { uri: DEPLOY }],
    ['replaced', 'knowledge_add', { ...FACT, text: 'The API is on 9090.', merge_key: 'port' }],
    [
      'feedback',
      'knowledge_feedback',
      { question: 'api', returned_ids: [id], used_ids: [id], outcome: 'helped' },
    ],
    ['propose', 'kb_propose', { topic: 'project', slug: 'a/new', text: '# New\n\nText.\n' }],
    ['list', 'reference_topic_list', {}],
    ['create', 'reference_topic_create', { title: 'X', sources: [GIT] }],
    ['status', 'job_status', { id: String(waiting.data?.approval_id) }],
  ];
  const answers = new Map([
    ['knowledge_add', fact],
    ['knowledge_promote', waiting],
  ]);
  for (const [name, tool, given] of calls) answers.set(`${tool}: ${name}`, await ask(client, tool, given));
  return answers;
}

it('gives data that stands alone and is lean: a sentence, no nulls, no digests, nothing twice', async () => {
  const client = await connected();
  const answers = await answersOfAllTools(client);
  for (const [name, { data }] of answers) {
    const texts = textsIn(data);
    expect([name, data?.text], name).toEqual([name, expect.stringMatching(/\w+[\s\S]*[.\w>]$/)]);
    expect([name, JSON.stringify(data).match(/null|[0-9a-f]{40,}/)], name).toEqual([name, null]);
    const long = texts.filter((each) => each.length >= 40);
    const again = long.filter((each, at) =>
      long.some((other, place) => place !== at && other.includes(each)),
    );
    expect([name, again]).toEqual([name, []]);
  }
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const tried = [...answers.keys()].map((name) => name.replace(/:.*/, ''));
  expect(tools.filter((name) => !tried.includes(name))).toEqual([]);
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
