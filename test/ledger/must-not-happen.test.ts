import { expect, it } from 'vitest';
import { adding, ledgerSandbox } from './ledger-sandbox.ts';

const ids = (answer: { entries: { id: string }[] }) => answer.entries.map(({ id }) => id);

it('1: an empty merge key is no key, and what has none reads back as null', async () => {
  const { json } = ledgerSandbox();
  await json(adding('one'));
  for (const key of ['', ' '])
    expect(await json(adding(`two${key.length}`, '--merge-key', key))).toMatchObject({ action: 'inserted' });
  const { entries } = await json(['k', 'list']);
  expect(entries.map((each: { merge_key: unknown }) => each.merge_key)).toEqual([null, null, null]);
});

it('2: superseding with its own id or with a status that is not active is an error and changes nothing', async () => {
  const { json, message } = ledgerSandbox();
  await json(adding('old', '--merge-key', 'k'));
  const before = (await json(['k', 'show', 'old'])).entry;
  const over = (id: string, ...more: string[]) =>
    adding(id, '--merge-key', 'k', '--on-conflict', 'supersede', ...more);
  expect(await message(over('old'), 5)).toBe('An entry cannot supersede itself: "old" has this merge key.');
  for (const status of ['superseded', 'deprecated', 'stale'])
    expect(await message(over('new', '--status', status), 2)).toBe(
      `Superseding with status '${status}' would leave no active entry.`,
    );
  expect((await json(['k', 'show', 'old'])).entry).toEqual(before);
  expect(ids(await json(['k', 'list', '--status', 'all']))).toEqual(['old']);
});

it('3: a database that cannot be read is an error, not an insert', async () => {
  const { json, message, write, root } = ledgerSandbox();
  await json(adding('one', '--merge-key', 'k'));
  write('.ken/knowledge/knowledge.db', 'This is not a database, though somebody put it there.');
  expect(await message(adding('two', '--merge-key', 'k'), 1)).toBe(
    `${root}/.ken/knowledge/knowledge.db is not a database.`,
  );
});

it('4: a merge keeps the earlier version, gathers citations, and keeps claim and expiry unless given', async () => {
  const { json, ken } = ledgerSandbox();
  const first = ['--claim-id', 'c1', '--ttl-policy', 'decay', '--expires-ts', '4000000000Z'];
  await json(adding('one', '--merge-key', 'k', '--text', 'Port 1.', ...first));
  await json(adding('two', '--merge-key', 'k', '--text', 'Port 2.', '--provenance', 'url:b'));
  const { entry } = await json(['k', 'show', 'one']);
  expect(entry).toMatchObject({ content: 'Port 2.', claim_id: 'c1', expires_ts: '4000000000Z' });
  expect(entry.citations.map((each: { provenance: string }) => each.provenance)).toEqual(['cmd:x', 'url:b']);
  const { versions } = await json(['k', 'history', 'one']);
  expect(versions.map((each: { content: string }) => each.content)).toEqual(['Port 1.', 'Port 2.']);
  expect((await ken(['k', 'diff', 'one'])).stdout).toContain('- Port 1.\n+ Port 2.\n');
  await json(adding('x', '--merge-key', 'k', '--claim-id', 'c2', '--expires-ts', '4000000001Z'));
  expect((await json(['k', 'show', 'one'])).entry).toMatchObject({
    claim_id: 'c2',
    expires_ts: '4000000001Z',
  });
});

it('5: chains can be walked both ways, and none can be closed to a circle', async () => {
  const { json, message } = ledgerSandbox();
  const over = (id: string) => adding(id, '--merge-key', 'k', '--on-conflict', 'supersede');
  for (const id of ['a', 'b', 'c']) await json(over(id));
  expect(await message(over('a'), 5)).toBe('There is an entry "a" already.');
  const { entries } = await json(['k', 'list', '--status', 'all']);
  const link = (each: { id: string; supersedes_id: string | null; superseded_by: string | null }) =>
    `${each.supersedes_id} < ${each.id} < ${each.superseded_by}`;
  expect(entries.map(link).sort()).toEqual(['a < b < c', 'b < c < null', 'null < a < b']);
});

it('7: what has expired is not found even before decay; restore gives it a new life', async () => {
  const { json, message, ken } = ledgerSandbox();
  await json(adding('gone', '--ttl-policy', 'ephemeral', '--expires-ts', '1Z'));
  await json(adding('week', '--ttl-policy', 'ephemeral'));
  await json(adding('month', '--ttl-policy', 'decay'));
  const life = async (id: string) => {
    const { entry } = await json(['k', 'show', id]);
    return (Number.parseInt(entry.expires_ts, 10) - Number.parseInt(entry.created_at, 10)) / 86_400;
  };
  expect([await life('week'), await life('month')]).toEqual([7, 30]);
  expect(await message(adding('p', '--expires-ts', '1Z'), 2)).toBe('A persistent entry has no expiry.');
  expect(ids(await json(['k', 'search', 'test'])).sort()).toEqual(['month', 'week']);
  expect((await json(['k', 'decay', '--as-of', '1000Z'])).stale_ids).toEqual(['gone']);
  const { entry } = await json(['k', 'show', 'gone']);
  expect(entry.status).toBe('stale');
  expect(Number.parseInt(entry.updated_at, 10)).toBeGreaterThanOrEqual(Number.parseInt(entry.created_at, 10));
  await json(['k', 'restore', 'gone']);
  expect((await ken(['k', 'search', 'test', '--json'])).stdout).toContain('"gone"');
  expect(await message(['k', 'decay', '--as-of', '2100-01-01'], 2)).toBe(
    'Entries that expire in the future cannot be marked now.',
  );
});

it('8: relevance ranks; limits apply; any bytes are a query', async () => {
  const { json, ken, message } = ledgerSandbox();
  await json(adding('often', '--title', 'Kettle', '--text', 'The kettle is a kettle.'));
  await json(
    adding('once', '--title', 'Kitchen', '--text', `There is a kettle ${'and much more '.repeat(20)}`),
  );
  await json(adding('never', '--title', 'Boats', '--text', 'ÉCOLE and run the tests'));
  expect(ids(await json(['k', 'search', 'kettle']))).toEqual(['often', 'once']);
  expect(ids(await json(['k', 'search', 'kettle', '--limit', '1', '--offset', '1']))).toEqual(['once']);
  expect(ids(await json(['k', 'search', 'run tests']))).toEqual(['never']);
  expect(ids(await json(['k', 'search', 'école']))).toEqual(['never']);
  for (const query of ['', '%', '_', '"', "'; drop table entry", 'NEAR(', '🙂', 'x'.repeat(100_000)]) {
    const { code, stdout } = await ken(['k', 'search', query, '--json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '{"entries":[]}\n' });
  }
  expect(await message(['k', 'search', 'q', '--rank', 'x'], 2)).toBe(
    "Invalid rank 'x'. Expected relevance|recency_decay",
  );
});

it('8: a search and a list are narrowed by tag, label, claim and status', async () => {
  const { json, ken } = ledgerSandbox();
  await json(adding('a', '--tag', 'x', '--tag', 'y', '--label', 'team=red', '--claim-id', 'c1'));
  await json(adding('b', '--tag', 'x', '--label', 'team=blue'));
  await json(adding('c', '--status', 'deprecated', '--merge-key', 'k'));
  const narrowed: [string[], string[]][] = [
    [[], ['a', 'b']],
    [['--tag', 'x', '--tag', 'y'], ['a']],
    [['--tag', 'none'], []],
    [['--label', 'team=blue'], ['b']],
    [['--label', '!team'], []],
    [['--claim-id', 'c1'], ['a']],
    [['--status', 'deprecated'], ['c']],
  ];
  const found = async (...words: string[]) =>
    ids(JSON.parse((await ken([...words, '--json'])).stdout)).sort();
  for (const [words, expected] of narrowed) {
    expect(await found('k', 'search', 'test', ...words), words.join(' ')).toEqual(expected);
    expect(await found('k', 'list', ...words), words.join(' ')).toEqual(expected);
  }
  expect(await found('k', 'list', '--status', 'all', '--merge-key', 'k')).toEqual(['c']);
});

it('9: feedback names only what was returned and is there', async () => {
  const { json, message } = ledgerSandbox();
  await json(adding('a'));
  const log = (returned: string, used: string) => [
    ...['k', 'retrieval-log', '--query', 'q', '--returned-ids', returned],
    ...['--used-ids', used, '--outcome', 'helped'],
  ];
  expect(await message(log('a', 'a,b'), 2)).toBe(
    "used_ids must be a subset of returned_ids; 'b' was not returned.",
  );
  expect(await message(log('a,b', 'a'), 3)).toBe('There is no entry "b".');
  expect((await json(['k', 'show', 'a'])).entry.feedback).toEqual({ retrieved: 0, helped: 0, hurt: 0 });
});

it('10: no spelling of a procedural id passes the firewall', async () => {
  const { message } = ledgerSandbox();
  const needs = 'procedural knowledge entries require provenance in format `event:<promotion_event_id>`';
  for (const id of [
    'procedural/x',
    'Procedural/x',
    ' procedural/x',
    'ＰＲＯＣＥＤＵＲＡＬ/x',
    'pro\u200bcedural/x',
  ])
    expect(await message(adding(id), 4)).toBe(needs);
});

it('11: a secret in title, text or provenance is refused by the name of its rule, unless insisted on', async () => {
  const { json, message } = ledgerSandbox();
  const refused = (rule: string) => `This looks like a secret (${rule}); it was not written down.`;
  const key = 'AKIAIOSFODNN7EXAMPLE';
  for (const flag of ['--title', '--text'])
    expect(await message(adding('s', flag, `use ${key}`), 4)).toBe(refused('aws-access-key'));
  expect(await message(adding('s', '--provenance', 'url:https://ada:pw@host/x'), 4)).toBe(
    refused('url-credentials'),
  );
  await json(adding('s', '--text', `use ${key}`, '--allow-secret'));
});
