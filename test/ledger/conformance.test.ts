import path from 'node:path';
import { expect, it } from 'vitest';
import { adding, ledgerSandbox, promotionLine } from './ledger-sandbox.ts';

const PROMOTIONS = '.ken/knowledge/knowledge.promotions.jsonl';
const inserted = (id: string) => ({ id, action: 'inserted', superseded_ids: [] });
const keyed = (id: string, policy: string, ...more: string[]) =>
  adding(id, '--merge-key', 'auth-flow', '--on-conflict', policy, ...more);
const promoting = (id: string, ...more: string[]) => ['k', 'promote', id, '--reason', 'agreed', ...more];

it('T1 promote records source, class and evidence; the approver is whoever decided, and the source must exist', async () => {
  const { json, message, lines, approveAll } = ledgerSandbox();
  const reason = 'convert episodic finding into procedural norm';
  const evidence = ['--evidence-ref', 'commit:abc123', '--evidence-ref', 'file:docs/spec.md#L10'];
  const words = [
    'k',
    'promote',
    'K_001',
    ...evidence,
    '--approved-by',
    'human/reviewer-1',
    '--reason',
    reason,
  ];
  expect(await message(words, 3)).toBe('There is no entry "K_001".');
  await json(adding('K_001'));
  expect(await message(words, 4)).toMatch(/^This waits for approval /);
  approveAll();
  const { promotion } = await json(words);
  const told = {
    event_id: promotion.event_id,
    source_entry_id: 'K_001',
    target_class: 'procedural',
    evidence_refs: ['commit:abc123', 'file:docs/spec.md#L10'],
    approved_by: 'approvals.noninteractive',
    reason,
  };
  expect(promotion).toMatchObject(told);
  expect(lines('knowledge.promotions.jsonl').at(-1)).toMatchObject({
    ...told,
    claimed_approver: 'human/reviewer-1',
  });
});

it('T2 promote without evidence fails', async () => {
  const { message } = ledgerSandbox();
  expect(await message(promoting('K_002'), 2)).toBe('at least one --evidence-ref is required');
});

it('T3 a procedural entry without an event is refused', async () => {
  const { message } = ledgerSandbox();
  expect(await message(adding('procedural/commit_norms/no-event', '--provenance', 'commit:abc123'), 4)).toBe(
    'procedural knowledge entries require provenance in format `event:<promotion_event_id>`',
  );
});

it('T4 a procedural entry with its event is added once it was approved, and an audit finds nothing', async () => {
  const { json, message, ken, approveAll } = ledgerSandbox();
  await json(adding('K_source', '--text', 'Sign off.'));
  approveAll();
  const { promotion } = await json(promoting('K_source', '--evidence-ref', 'commit:abc'));
  const id = 'procedural/commit_norms/with-event';
  const words = adding(id, '--provenance', `event:${promotion.event_id}`);
  expect(await message(words, 4)).toBe(`promotion event '${promotion.event_id}' covers another text`);
  const retitled = [...words, '--title', 'Norm', '--text', 'Sign off.'];
  expect(await message(retitled, 4)).toBe(`promotion event '${promotion.event_id}' was not approved by you`);
  expect(await json([...words, '--text', 'Sign off.'])).toEqual(inserted(id));
  expect((await ken(['k', 'audit'])).stdout).not.toContain('promotion_ledger');
});

it('T5, T6 an audit reports lines of the promotions file that lack a field or have another class', async () => {
  const { write, json, ken } = ledgerSandbox();
  await json(adding('K_1'));
  write(
    PROMOTIONS,
    `{"event_id":"evt_1"}\n${promotionLine('P1', { target_class: 'semantic' })}\n${promotionLine('P2')}\n`,
  );
  const { code, stdout } = await ken(['k', 'audit', '--json']);
  const messages = JSON.parse(stdout).findings.map((each: { message: string }) => each.message);
  expect({ code, messages }).toEqual({
    code: 6,
    messages: [
      "knowledge.promotions.jsonl line 1: Knowledge promotion ledger missing 'ts'",
      "knowledge.promotions.jsonl line 2: expected target_class='procedural'",
    ],
  });
});

it('T7 adds with a command as provenance and with a claim, and finds both', async () => {
  const { json } = ledgerSandbox();
  expect(await json(adding('kb-001', '--provenance', 'cmd:manual-entry'))).toEqual(inserted('kb-001'));
  await json(adding('kb-002', '--claim-id', 'test-claim-1'));
  const { entries } = await json(['k', 'search', 'test']);
  expect(
    Object.fromEntries(entries.map((each: { id: string; claim_id: unknown }) => [each.id, each.claim_id])),
  ).toEqual({ 'kb-001': null, 'kb-002': 'test-claim-1' });
});

it('T8 add with an id alone fails', async () => {
  const { message } = ledgerSandbox();
  const only = ['k', 'add', '--id', 'x'];
  expect(await message(only, 2)).toBe('--title is missing.');
  expect(await message([...only, '--title', 't'], 2)).toBe('--text is missing.');
  expect(await message([...only, '--title', 't', '--text', 'x'], 2)).toBe('An entry needs its provenance.');
});

it('an id, a title or a text that is empty is an error, and so is another decay policy', async () => {
  const { message } = ledgerSandbox();
  expect(await message(adding('', '--merge-key', 'k'), 2)).toBe('An entry needs an id that is not empty.');
  for (const blank of ['', ' ']) {
    expect(await message(adding('x', '--title', blank), 2)).toBe('The title must not be empty.');
    expect(await message(adding('x', '--text', blank), 2)).toBe('The text must not be empty.');
  }
  expect(await message(['k', 'decay', '--policy', 'x'], 2)).toBe(
    "Invalid decay policy 'x'. Expected default",
  );
});

it('T9 the same add twice is an error in place of a silent upsert: there is no rpc', async () => {
  const { json, message } = ledgerSandbox();
  expect(await json(adding('K_1', '--provenance', 'cmd:cargo-test'))).toEqual(inserted('K_1'));
  expect(await message(adding('K_1', '--provenance', 'cmd:cargo-test'), 5)).toBe(
    'There is an entry "K_1" already.',
  );
});

it('U1, S4 reject on an active key is an error and adds nothing', async () => {
  const { json, message } = ledgerSandbox();
  await json(keyed('K_1', 'reject'));
  expect(await message(keyed('K_2', 'reject'), 5)).toBe(
    'knowledge merge_key conflict: active entry already exists and on_conflict=reject',
  );
  expect(await message(['k', 'show', 'K_2'], 3)).toBe('There is no entry "K_2".');
});

it('U3, S14 a dry run tells the same each time, changes nothing and is logged', async () => {
  const { json, lines } = ledgerSandbox();
  await json(adding('K_20', '--ttl-policy', 'ephemeral', '--expires-ts', '1Z'));
  const dry = ['k', 'decay', '--policy', 'default', '--as-of', '1000Z', '--dry-run'];
  const [first, second] = [await json(dry), await json(dry)];
  const told = { as_of: '1000Z', policy: 'default', dry_run: true, stale_ids: ['K_20'] };
  expect([first, second]).toEqual([
    { ...told, event_id: first.event_id },
    { ...told, event_id: second.event_id },
  ]);
  expect((await json(['k', 'show', 'K_20'])).entry).toMatchObject({ status: 'active', version: 1 });
  expect(lines('knowledge.decay.events.jsonl')).toMatchObject([first, second]);
});

it('U4 feedback is a line with its event, outcome, actor and run', async () => {
  const { json, ken, lines, root } = ledgerSandbox();
  for (const id of ['K_1', 'K_2']) await json(adding(id));
  const words = ['k', 'retrieval-log', '--query', 'q', '--returned-ids', 'K_1,K_2', '--used-ids', 'K_1'];
  const environment = { KEN_ACTOR: 'ghost', KEN_RUN_ID: 'run-7' };
  const { stdout } = await ken([...words, '--outcome', 'helped', '--json'], { environment });
  const { event_id, file } = JSON.parse(stdout);
  expect(file).toBe(path.join(root, '.ken/knowledge/knowledge.retrieval.events.jsonl'));
  expect(lines('knowledge.retrieval.events.jsonl')).toEqual([
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

it('S1, S2, S3 inserts, merges into the holder of the key, and supersedes it', async () => {
  const { json, message } = ledgerSandbox();
  expect(await json(keyed('K_1', 'merge'))).toEqual(inserted('K_1'));
  expect(await json(adding('K_0'))).toEqual(inserted('K_0'));
  const { entry: first } = await json(['k', 'show', 'K_1']);
  expect(await json(keyed('K_3', 'merge', '--text', 'newer'))).toEqual({
    id: 'K_1',
    action: 'merged',
    superseded_ids: [],
  });
  const { entry: merged } = await json(['k', 'show', 'K_1']);
  expect(merged).toMatchObject({ content: 'newer', created_at: first.created_at, version: 2 });
  expect(await message(['k', 'show', 'K_3'], 3)).toBe('There is no entry "K_3".');
  expect(await json(keyed('K_4', 'supersede'))).toEqual({
    id: 'K_4',
    action: 'superseded',
    superseded_ids: ['K_1'],
  });
  expect((await json(['k', 'show', 'K_1'])).entry).toMatchObject({
    status: 'superseded',
    superseded_by: 'K_4',
  });
  expect((await json(['k', 'show', 'K_4'])).entry).toMatchObject({ supersedes_id: 'K_1', status: 'active' });
});

const LOG = ['k', 'retrieval-log', '--query', 'q', '--returned-ids', '', '--used-ids', '', '--outcome'];

it.each([
  [adding('x', '--on-conflict', 'x'), "Invalid conflict policy 'x'. Expected merge|supersede|reject"],
  [adding('x', '--status', 'x'), "Invalid knowledge status 'x'. Expected active|superseded|deprecated|stale"],
  [adding('x', '--ttl-policy', 'x'), "Invalid ttl_policy 'x'. Expected ephemeral|decay|persistent"],
  [
    adding('x', '--provenance', 'x'),
    "Invalid provenance format: 'x'. Must match scheme (file:|url:|cmd:|commit:|event:)",
  ],
  [[...LOG, 'x'], "Invalid retrieval outcome 'x'. Expected helped|neutral|hurt|unknown"],
  [[...LOG, 'helped', '--source', 'x'], "Invalid retrieval source 'x'. Expected invocation|manual_feedback"],
])('S5 a bad value is named in the words of the contract: %j', async (words, said) => {
  expect(await ledgerSandbox().message(words, 2)).toBe(said);
});

it('S6, S7 takes every scheme, commands with spaces and events in small letters; refuses the rest', async () => {
  const { json, message } = ledgerSandbox();
  const good = ['file:a', 'file:a b#L1-L2', 'url:x', 'cmd:x', 'commit:a', 'event:A_1'];
  const ours = ['cmd:cargo test', 'event:docs_01kj'];
  await json(adding('all', ...[...good, ...ours].flatMap((each) => ['--provenance', each])));
  const { entry } = await json(['k', 'show', 'all']);
  expect(entry.provenance).toBe('file:a');
  expect(entry.citations.map((each: { provenance: string }) => each.provenance)).toEqual([...good, ...ours]);
  for (const bad of ['commit:ABC', 'file:x#L1-2', 'file:x#frag', 'pr:12'])
    expect(await message(adding('x', '--provenance', bad), 2)).toBe(
      `Invalid provenance format: '${bad}'. Must match scheme (file:|url:|cmd:|commit:|event:)`,
    );
});

it('S8 takes epoch seconds and ISO-8601 for a time, and nothing loose', async () => {
  const { json, message } = ledgerSandbox();
  const expiring = (time: string) =>
    adding('E', '--ttl-policy', 'decay', '--expires-ts', time, '--merge-key', 'k');
  for (const time of ['123', '123Z', '1970-01-01T00:02:03Z']) {
    await json(expiring(time));
    expect((await json(['k', 'show', 'E'])).entry.expires_ts).toBe('123Z');
  }
  for (const time of ['123ZZ', '+5Z', '-1Z', ' 1Z', 'Z'])
    expect(await message(expiring(time), 2)).toBe(`Invalid epoch timestamp: ${time}`);
});

it('S12 an unknown event and one of another class are named', async () => {
  const { write, message } = ledgerSandbox();
  write(PROMOTIONS, `${promotionLine('CLASS', { target_class: 'semantic' })}\n`);
  const words = (event: string) => adding('procedural/x', '--provenance', `event:${event}`);
  expect(await message(words('NONE'), 4)).toBe(
    "missing promotion firewall event 'NONE' in knowledge.promotions.jsonl",
  );
  expect(await message(words('CLASS'), 4)).toBe(
    "promotion event 'CLASS' target_class is 'semantic' (expected procedural)",
  );
});

it('S13 evidence is trimmed, ordered and kept once; blanks alone are none', async () => {
  const { json, message, approveAll } = ledgerSandbox();
  await json(adding('K_1'));
  approveAll();
  const evidence = [' b ', 'a', 'a', ''].flatMap((each) => ['--evidence-ref', each]);
  expect((await json(promoting('K_1', ...evidence))).promotion.evidence_refs).toEqual(['a', 'b']);
  expect(await message(promoting('K_1', '--evidence-ref', ' '), 2)).toBe('evidence_refs cannot be empty');
});

it('describes exactly the commands that there are', async () => {
  const { json, ken } = ledgerSandbox();
  const schema = await json(['k', 'schema']);
  const { stdout } = await ken(['k', '--help']);
  const commands = /Commands:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? '';
  const listed = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  const names = schema.commands.map((each: { name: string }) => each.name);
  expect(listed.filter((name) => name !== 'schema' && name !== 'help')).toEqual(names);
  const add = schema.commands.find((each: { name: string }) => each.name === 'add');
  expect(
    add.parameters
      .filter((each: { required: boolean }) => each.required)
      .map((each: { name: string }) => each.name),
  ).toEqual(['title', 'text', 'provenance']);
});
