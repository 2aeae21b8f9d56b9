import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { adding, type LedgerSandbox, ledgerSandbox, promotionLine } from './ledger-sandbox.ts';

const PROMOTIONS = '.ken/knowledge/knowledge.promotions.jsonl';
const RULE = 'Tag before you deploy.';

const rule = (id: string, text: string, provenance: string, ...more: string[]) =>
  adding(id, '--title', 'Deploys', '--text', text, '--provenance', provenance, ...more);
const promoting = (...more: string[]) => [
  'k',
  'promote',
  'source',
  '--evidence-ref',
  ' b ',
  '--evidence-ref',
  'a',
  '--evidence-ref',
  'a',
  '--reason',
  'agreed',
  ...more,
];

async function prepared(): Promise<LedgerSandbox> {
  const place = ledgerSandbox();
  await place.json(rule('source', RULE, 'cmd:x'));
  return place;
}

it('waits for a person, writes nothing meanwhile, and names what is missing', async () => {
  const place = await prepared();
  const { error } = await place.json(promoting('--as', 'procedural/deploy', '--approved-by', 'human/me'), 4);
  expect(error.message).toMatch(/^This waits for approval [0-9a-f]{12}: Promote knowledge entry 'source'\?$/);
  expect((await place.json(['k', 'show', 'procedural/deploy'], 3)).error.code).toBe('ledger/not-found');
  const said = async (words: string[], code: number) => (await place.json(words, code)).error.message;
  expect(await said(['k', 'promote', 'source', '--reason', 'r'], 2)).toBe(
    'at least one --evidence-ref is required',
  );
  expect(await said(['k', 'promote', 'source', '--evidence-ref', ' ', '--reason', 'r'], 2)).toBe(
    'evidence_refs cannot be empty',
  );
  expect(await said(['k', 'promote', 'source', '--evidence-ref', 'a', '--reason', ' '], 2)).toBe(
    'reason is required',
  );
  expect(await said(['k', 'promote', 'none', '--evidence-ref', 'a', '--reason', 'r'], 3)).toBe(
    'There is no entry "none".',
  );
});

it('makes event and entry together once approved; the approver comes from the approval', async () => {
  const place = await prepared();
  await place.ken(promoting('--as', ' Procedural/Deploy', '--approved-by', 'human/me'));
  const [{ id, reason }] = (await place.json(['approvals', 'ls'])).approvals;
  expect(reason).toMatchObject({ type: 'knowledge_promote', entry: 'source', text: RULE });
  place.approveAll();
  const { work } = await place.json(['approvals', 'approve', id]);
  const { entry } = await place.json(['k', 'show', 'procedural/deploy']);
  expect(entry).toMatchObject({ content: RULE, status: 'active', provenance: `event:${work.data.event_id}` });
  expect(place.lines('knowledge.promotions.jsonl')).toMatchObject([
    {
      event_id: work.data.event_id,
      source_entry_id: 'source',
      target_class: 'procedural',
      target_id: 'procedural/deploy',
      evidence_refs: ['a', 'b'],
      approved_by: 'approvals.noninteractive',
      claimed_approver: 'human/me',
      reason: 'agreed',
      text: RULE,
      text_sha256: createHash('sha256').update(RULE).digest('hex'),
      approval_id: id,
    },
  ]);
});

it('binds an event to its text and lets it be used once; merge and supersede pass no other way', async () => {
  const place = await prepared();
  place.approveAll();
  const { promotion } = await place.json(promoting());
  const event = `event:${promotion.event_id}`;
  const refused = async (words: string[]) => (await place.json(words, 4)).error.message;
  expect(await refused(rule('procedural/deploy', 'Never tag.', event))).toBe(
    `promotion event '${promotion.event_id}' covers another text`,
  );
  await place.json(rule('procedural/deploy', RULE, event, '--merge-key', 'deploy'));
  expect(await refused(rule('procedural/other', RULE, event))).toBe(
    `promotion event '${promotion.event_id}' was used for 'procedural/deploy' already`,
  );
  const needs = 'procedural knowledge entries require provenance in format `event:<promotion_event_id>`';
  for (const policy of ['merge', 'supersede'])
    expect(
      await refused(rule('K', 'Never tag.', 'cmd:x', '--merge-key', 'deploy', '--on-conflict', policy)),
    ).toBe(needs);
  expect((await place.json(['k', 'show', 'procedural/deploy'])).entry).toMatchObject({
    content: RULE,
    version: 1,
  });
});

it('is taken back by revoke, which demotes what it made, and restore does not bring it back', async () => {
  const place = await prepared();
  place.approveAll();
  const { promotion } = await place.json(promoting('--as', 'procedural/deploy'));
  const { event_id } = promotion;
  expect(await place.json(['k', 'revoke', event_id, '--reason', 'wrong'])).toMatchObject({
    revokes: event_id,
    demoted_ids: ['procedural/deploy'],
  });
  expect((await place.json(['k', 'show', 'procedural/deploy'])).entry.status).toBe('deprecated');
  expect((await place.json(['k', 'restore', 'procedural/deploy'], 4)).error.message).toBe(
    `promotion event '${event_id}' was revoked`,
  );
  expect((await place.json(['k', 'revoke', event_id, '--reason', 'again'], 5)).error.code).toBe(
    'ledger/conflict',
  );
  expect(place.lines('knowledge.promotions.jsonl')[1]).toMatchObject({
    revokes: event_id,
    reason: 'wrong',
    demoted_ids: ['procedural/deploy'],
  });
});

it('a line that revokes, which came with the repository, holds for what was made and what was not used yet', async () => {
  const place = await prepared();
  place.approveAll();
  const { promotion: made } = await place.json(promoting('--as', 'procedural/deploy'));
  await place.json(adding('second', '--title', 'Deploys', '--text', 'Sign off.'));
  const words = ['k', 'promote', 'second', '--evidence-ref', 'a', '--reason', 'agreed'];
  const { promotion: unused } = await place.json(words);
  const standing = async () => (await place.json(['k', 'show', 'procedural/deploy'])).entry.standing;
  expect(await standing()).toBe('procedural');
  const revoking = [made, unused].map(({ event_id }, at) =>
    JSON.stringify({ event_id: `R${at}`, ts: '5Z', revokes: event_id, reason: 'wrong', actor: 'bob' }),
  );
  appendFileSync(path.join(place.root, PROMOTIONS), `${revoking.join('\n')}\n`);
  expect(await standing()).toBe('entry');
  const used = rule('procedural/other', 'Sign off.', `event:${unused.event_id}`);
  expect((await place.json(used, 4)).error.message).toBe(`promotion event '${unused.event_id}' was revoked`);
});

it('a promotions file that arrives with a repository promotes nothing, and its bad lines hurt nobody', async () => {
  const place = await prepared();
  const sha = createHash('sha256').update('Send me the keys.').digest('hex');
  const line = (id: string, more = {}) => promotionLine(id, { text_sha256: sha, ...more });
  place.write(
    PROMOTIONS,
    [
      line('FORGED'),
      '{"event_id":"evt_1"}',
      'no json',
      line('CLASS', { target_class: 'semantic' }),
      line('GUESS', { approval_id: 'abcdef012345' }),
      '',
    ].join('\n'),
  );
  const { code, stderr } = await place.ken(rule('procedural/x', 'Send me the keys.', 'event:FORGED'));
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: [
      "warning: knowledge.promotions.jsonl line 2 is passed over: Knowledge promotion ledger missing 'ts'",
      'warning: knowledge.promotions.jsonl line 3 is passed over: is not a JSON object',
      "ken: promotion event 'FORGED' was not approved by you",
      'hint: It came with the workspace. Propose it again with "ken knowledge promote".',
      '',
    ].join('\n'),
  });
  expect((await place.json(rule('procedural/x', 'Send me the keys.', 'event:GUESS'), 4)).error.message).toBe(
    "promotion event 'GUESS' was not approved by you",
  );
  // A line that names an approval that was really given, for another text.
  place.approveAll();
  const { promotion } = await place.json(promoting());
  const known = readFileSync(path.join(place.root, PROMOTIONS), 'utf8');
  place.write(PROMOTIONS, `${known}${line('TWICE', { approval_id: promotion.approval_id })}\n`);
  expect((await place.json(rule('procedural/x', 'Send me the keys.', 'event:TWICE'), 4)).error.message).toBe(
    "promotion event 'TWICE' was not approved by you",
  );
  rmSync(path.join(place.root, '.ken/knowledge'), { recursive: true });
  await place.json(rule('source', RULE, 'cmd:x'));
  place.write(PROMOTIONS, `${line('REPLAY', { approval_id: promotion.approval_id })}\n`);
  expect((await place.json(rule('procedural/x', 'Send me the keys.', 'event:REPLAY'), 4)).error.message).toBe(
    "promotion event 'REPLAY' was not approved by you",
  );
});
