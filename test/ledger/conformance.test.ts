import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';

const KNOWLEDGE = '.ken/knowledge';

/** Words for `ken k add`, with whatever is not the point filled in. */
function adding(id: string, ...more: string[]): string[] {
  return [
    'k',
    'add',
    '--id',
    id,
    '--title',
    'A test',
    '--text',
    'some test text',
    '--provenance',
    'cmd:x',
    ...more,
  ];
}

async function json({ ken }: Sandbox, words: readonly string[], code = 0) {
  const result = await ken([...words, '--json']);
  expect(result, words.join(' ')).toMatchObject({ code });
  return JSON.parse(code === 0 ? result.stdout : result.stderr);
}

const message = async (place: Sandbox, words: readonly string[], code: number): Promise<string> =>
  (await json(place, words, code)).error.message;

const lines = ({ root }: Sandbox, name: string): unknown[] =>
  readFileSync(path.join(root, KNOWLEDGE, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('adds with any command as provenance, relates to a claim, and finds both', async () => {
  const place = sandbox('');
  expect(await json(place, adding('kb-001', '--provenance', 'cmd:manual-entry'))).toEqual({
    id: 'kb-001',
    action: 'inserted',
    superseded_ids: [],
  });
  await json(place, adding('kb-002', '--claim-id', 'test-claim-1'));
  const { entries } = await json(place, ['k', 'search', 'test']);
  expect(entries.map((each: { id: string; claim_id: unknown }) => [each.id, each.claim_id])).toEqual([
    ['kb-001', null],
    ['kb-002', 'test-claim-1'],
  ]);
});

it('needs title, text and provenance', async () => {
  const place = sandbox('');
  const only = ['k', 'add', '--id', 'x'];
  expect(await message(place, only, 2)).toBe('--title is missing.');
  expect(await message(place, [...only, '--title', 't'], 2)).toBe('--text is missing.');
  const words = [...only, '--title', 't', '--text', 'x'];
  expect(await message(place, words, 2)).toBe('An entry needs its provenance.');
  for (const [flag, name] of [
    ['--title', 'title'],
    ['--text', 'text'],
  ] as const)
    expect(await message(place, adding('x', flag, ' '), 2)).toBe(`The ${name} must not be empty.`);
  expect(await message(place, adding(''), 2)).toBe('An entry needs an id that is not empty.');
});

it('keeps procedural ids behind the firewall, however they are spelled', async () => {
  const place = sandbox('');
  const needs = 'procedural knowledge entries require provenance in format `event:<promotion_event_id>`';
  for (const id of ['procedural/commit_norms/no-event', 'Procedural/x', ' procedural/x'])
    expect(await message(place, adding(id), 4)).toBe(needs);
  const words = [
    'k',
    'add',
    '--id',
    'procedural/x',
    '--title',
    't',
    '--text',
    'x',
    '--provenance',
    'event:NONE',
  ];
  expect(await message(place, words, 4)).toBe(
    "missing promotion firewall event 'NONE' in knowledge.promotions.jsonl",
  );
});

it('merges, supersedes and rejects by key', async () => {
  const place = sandbox('');
  const keyed = (id: string, policy: string) =>
    adding(id, '--merge-key', 'auth-flow', '--on-conflict', policy);
  await json(place, keyed('K_1', 'reject'));
  expect(await message(place, keyed('K_2', 'reject'), 5)).toBe(
    'knowledge merge_key conflict: active entry already exists and on_conflict=reject',
  );
  expect(await json(place, keyed('K_3', 'merge'))).toEqual({
    id: 'K_1',
    action: 'merged',
    superseded_ids: [],
  });
  expect(await json(place, keyed('K_4', 'supersede'))).toEqual({
    id: 'K_4',
    action: 'superseded',
    superseded_ids: ['K_1'],
  });
  const { entry } = await json(place, ['k', 'show', 'K_1']);
  expect(entry).toMatchObject({ status: 'superseded', superseded_by: 'K_4', version: 3 });
  expect((await json(place, ['k', 'show', 'K_4'])).entry).toMatchObject({ supersedes_id: 'K_1' });
  expect(await message(place, ['k', 'show', 'K_3'], 3)).toBe('There is no entry "K_3".');
  const { versions, events } = await json(place, ['k', 'history', 'K_1']);
  expect(versions.map((each: { status: string }) => each.status)).toEqual(['active', 'active', 'superseded']);
  expect(events.length).toBe(3);
});

it('takes an empty merge key for none: it matches no keyless entry', async () => {
  const place = sandbox('');
  await json(place, adding('one'));
  expect(await json(place, adding('two', '--merge-key', ''))).toMatchObject({
    id: 'two',
    action: 'inserted',
  });
  const { entries } = await json(place, ['k', 'list']);
  expect(entries.map((each: { merge_key: unknown }) => each.merge_key)).toEqual([null, null]);
});

it('names what is wrong with a value in the words of its contract', async () => {
  const place = sandbox('');
  const wrong: [string[], string][] = [
    [['--on-conflict', 'x'], "Invalid conflict policy 'x'. Expected merge|supersede|reject"],
    [['--status', 'x'], "Invalid knowledge status 'x'. Expected active|superseded|deprecated|stale"],
    [['--ttl-policy', 'x'], "Invalid ttl_policy 'x'. Expected ephemeral|decay|persistent"],
    [['--expires-ts', '1ZZ'], 'Invalid epoch timestamp: 1ZZ'],
    [['--expires-ts', '1Z'], 'A persistent entry has no expiry.'],
    [
      ['--provenance', 'pr:12'],
      "Invalid provenance format: 'pr:12'. Must match scheme (file:|url:|cmd:|commit:|event:)",
    ],
  ];
  for (const [flags, said] of wrong) expect(await message(place, adding('x', ...flags), 2)).toBe(said);
  const log = (outcome: string, source: string) => [
    'k',
    'retrieval-log',
    '--query',
    'q',
    '--returned-ids',
    '',
    '--used-ids',
    '',
    '--outcome',
    outcome,
    '--source',
    source,
  ];
  expect(await message(place, log('x', 'invocation'), 2)).toBe(
    "Invalid retrieval outcome 'x'. Expected helped|neutral|hurt|unknown",
  );
  expect(await message(place, log('helped', 'x'), 2)).toBe(
    "Invalid retrieval source 'x'. Expected invocation|manual_feedback",
  );
  expect(await message(place, ['k', 'search', 'q', '--rank', 'x'], 2)).toBe(
    "Invalid rank 'x'. Expected relevance|recency_decay",
  );
  expect(await message(place, ['k', 'decay', '--policy', 'x'], 2)).toBe(
    "Invalid decay policy 'x'. Expected default",
  );
});

it('tells in a dry run what would become stale, the same each time, and logs it', async () => {
  const place = sandbox('');
  await json(place, adding('K_20', '--ttl-policy', 'ephemeral', '--expires-ts', '1Z'));
  await json(place, adding('K_21', '--ttl-policy', 'decay'));
  const dry = ['k', 'decay', '--policy', 'default', '--as-of', '1000Z', '--dry-run'];
  const [first, second] = [await json(place, dry), await json(place, dry)];
  expect(first).toEqual({
    as_of: '1000Z',
    policy: 'default',
    dry_run: true,
    stale_ids: ['K_20'],
    event_id: expect.any(String),
  });
  expect(second.stale_ids).toEqual(['K_20']);
  expect((await json(place, ['k', 'show', 'K_20'])).entry).toMatchObject({ status: 'active', version: 1 });
  expect(lines(place, 'knowledge.decay.events.jsonl')).toMatchObject([
    { event_id: first.event_id, dry_run: true, stale_ids: ['K_20'] },
    { event_id: second.event_id, dry_run: true, stale_ids: ['K_20'] },
  ]);
  // Expired is not found even before; decayed it is stale; restored it lives again.
  expect((await place.ken(['k', 'search', 'test', '--limit', '1', '--json'])).stdout).toContain('"K_21"');
  expect((await place.ken(['k', 'search', 'test', '--json'])).stdout).not.toContain('"K_20"');
  await json(place, ['k', 'decay', '--as-of', '1000Z']);
  const { entry } = await json(place, ['k', 'show', 'K_20']);
  expect(entry.status).toBe('stale');
  expect(Number.parseInt(entry.updated_at, 10)).toBeGreaterThanOrEqual(Number.parseInt(entry.created_at, 10));
  await json(place, ['k', 'restore', 'K_20']);
  expect((await place.ken(['k', 'search', 'test', '--json'])).stdout).toContain('"K_20"');
});

it('logs feedback with who gave it and in which run', async () => {
  const place = sandbox('');
  for (const id of ['K_1', 'K_2']) await json(place, adding(id));
  const words = ['k', 'retrieval-log', '--query', 'q', '--returned-ids', 'K_1,K_2', '--used-ids', 'K_1'];
  const environment = { KEN_ACTOR: 'ghost', KEN_RUN_ID: 'run-7' };
  const { stdout } = await place.ken([...words, '--outcome', 'helped', '--json'], { environment });
  const { event_id, file } = JSON.parse(stdout);
  expect(file).toBe(path.join(place.root, KNOWLEDGE, 'knowledge.retrieval.events.jsonl'));
  expect(lines(place, 'knowledge.retrieval.events.jsonl')).toEqual([
    {
      event_id,
      ts: expect.stringMatching(/^\d+Z$/),
      query: 'q',
      returned_ids: ['K_1', 'K_2'],
      used_ids: ['K_1'],
      outcome: 'helped',
      source: 'invocation',
      actor: 'ghost',
      run_id: 'run-7',
    },
  ]);
});

it('refuses secrets by name, unless they are insisted on', async () => {
  const place = sandbox('');
  const words = adding('s', '--text', 'use AKIAIOSFODNN7EXAMPLE');
  expect(await message(place, words, 4)).toBe(
    'This looks like a secret (aws-access-key); it was not written down.',
  );
  await json(place, [...words, '--allow-secret']);
});

it('describes exactly the commands that there are', async () => {
  const place = sandbox('');
  const schema = await json(place, ['k', 'schema']);
  const { stdout } = await place.ken(['k', '--help']);
  for (const { name } of schema.commands) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  const add = schema.commands.find((each: { name: string }) => each.name === 'add');
  expect(
    add.parameters
      .filter((each: { required: boolean }) => each.required)
      .map((each: { name: string }) => each.name),
  ).toEqual(['title', 'text', 'provenance']);
});
