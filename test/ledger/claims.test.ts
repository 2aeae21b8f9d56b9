import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { adding, ledgerSandbox } from './ledger-sandbox.ts';

it('shows what supports and what contradicts a claim', async () => {
  const { ken, json } = ledgerSandbox();
  expect(await ken(['k', 'claims'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'There are no claims. "ken knowledge claims ID --text …" states one.\n',
  });
  expect(await ken(['k', 'claims', 'retries', '--text', 'Retrying a request is safe.'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'The claim retries is stated. Entries support it with "ken k add --supports retries".\n',
  });
  await json(adding('put', '--title', 'PUT can be repeated', '--supports', 'retries'));
  await json(adding('post', '--title', 'POST orders twice', '--contradicts', 'retries'));
  await json(adding('old', '--title', 'An old note', '--claim-id', 'retries', '--provenance', 'cmd:y'));
  expect((await ken(['k', 'claims'])).stdout).toBe(
    'id       for  against  claim\nretries    1        1  Retrying a request is safe.\n',
  );
  const shown = await ken(['k', 'claims', 'retries']);
  expect(shown.stdout.replace(/Stated .* by .*\n/, 'Stated WHEN by WHO\n')).toBe(
    [
      'Retrying a request is safe.',
      'Stated WHEN by WHO',
      '',
      'For (1)',
      'id   title                evidence',
      'put  PUT can be repeated  cmd:x',
      '',
      'Against (1)',
      'id    title              evidence',
      'post  POST orders twice  cmd:x',
      '',
      'Without a side (1)',
      'id   title        evidence',
      'old  An old note  cmd:y',
      '',
    ].join('\n'),
  );
  const { claim, supports, contradicts, mentions } = await json(['k', 'claims', 'retries']);
  expect(claim).toMatchObject({
    id: 'retries',
    text: 'Retrying a request is safe.',
    counts: { supports: 1, contradicts: 1, mentions: 1 },
  });
  expect([supports, contradicts, mentions].map(([entry]) => [entry.id, entry.claim_stance])).toEqual([
    ['put', 'supports'],
    ['post', 'contradicts'],
    ['old', undefined],
  ]);
  const [line] = (await ken(['k', 'show', 'post'])).stdout.split('\n').filter((each) => /^claim/.test(each));
  expect(line).toBe('claim     contradicts retries: Retrying a request is safe.');
  // A retired entry takes no side.
  await json(['k', 'deprecate', 'post']);
  expect((await json(['k', 'claims'])).claims).toMatchObject([
    { id: 'retries', supports: 1, contradicts: 0 },
  ]);
});

it('refuses a side of what is not stated, two sides, and what cannot be a claim', async () => {
  const { json, message, ken } = ledgerSandbox();
  await json(['k', 'claims', 'retries', '--text', 'Retrying is safe.']);
  expect((await ken(adding('a', '--supports', 'retrys'))).stderr).toBe(
    'ken: There is no claim "retrys".\nhint: Did you mean retries? State it with: ken knowledge claims retrys --text "…".\n',
  );
  expect(await message(adding('a', '--supports', 'retries', '--contradicts', 'retries'), 2)).toBe(
    'An entry takes one side of one claim.',
  );
  expect(await message(['k', 'claims', 'no way', '--text', 'x'], 2)).toBe(
    '"no way" cannot be the id of a claim.',
  );
  expect(await message(['k', 'claims', 'c', '--text', ' '], 2)).toBe('The text must not be empty.');
  expect(await message(['k', 'claims', 'c', '--text', 'password = hunter2xyzzy'], 4)).toMatch(
    'looks like a secret',
  );
  expect(await message(['k', 'claims', 'other'], 3)).toBe('There is no claim "other".');
  expect((await json(['k', 'list', '--status', 'all'])).entries).toEqual([]);
  expect((await json(['k', 'claims'])).claims.map(({ id }: { id: string }) => id)).toEqual(['retries']);
});

it('takes claims to another ledger, and leaves one alone that says something else there', async () => {
  const [here, there] = [ledgerSandbox(), ledgerSandbox()];
  await here.json(['k', 'claims', 'a', '--text', 'One.']);
  await here.json(['k', 'claims', 'b', '--text', 'Two.']);
  await here.json(adding('e', '--supports', 'a'));
  await there.json(['k', 'claims', 'b', '--text', 'Another.']);
  const { stdout } = await here.ken(['k', 'export']);
  const { entries } = JSON.parse((await there.ken(['k', 'import', '-', '--json'], { input: stdout })).stdout);
  expect(entries).toEqual([
    { id: 'a', what: 'imported', reason: null },
    { id: 'b', what: 'conflict', reason: 'The claim is stated in other words here.' },
    { id: 'e', what: 'imported', reason: null },
  ]);
  const { claims } = await there.json(['k', 'claims']);
  expect(
    claims.map(({ id, text, supports }: { id: string; text: string; supports: number }) => [
      id,
      text,
      supports,
    ]),
  ).toEqual([
    ['a', 'One.', 1],
    ['b', 'Another.', 0],
  ]);
});

it('marks what somebody else wrote into the database, and erases a claim with all that it has said', async () => {
  const place = ledgerSandbox();
  const { json, ken, root } = place;
  const file = path.join(root, '.ken/knowledge/knowledge.db');
  await json(['k', 'claims', 'secret', '--text', 'The word is marmalade.']);
  await json(['k', 'claims', 'secret', '--text', 'The word was marmalade.']);
  await json(adding('e', '--contradicts', 'secret'));
  const database = new DatabaseSync(file);
  database.exec("update claim set text = 'The word is quince.'");
  database.close();
  expect((await json(['k', 'claims'])).claims).toMatchObject([{ text: 'The word is quince.', claim: true }]);
  await json(['k', 'claims', 'secret', '--text', 'The word is marmalade.']);
  expect((await json(['k', 'claims'])).claims[0].claim).toBe(undefined);
  expect(readFileSync(file).includes('marmalade') || readFileSync(`${file}-wal`).includes('marmalade')).toBe(
    true,
  );
  const erased = await atTerminal(place, ['k', 'erase', 'secret', '--yes'], []);
  expect(erased.code, erased.text).toBe(0);
  expect((await json(['k', 'claims'])).claims).toMatchObject([{ id: 'secret', text: null, contradicts: 1 }]);
  expect(readFileSync(file).includes('marmalade')).toBe(false);
  expect((await ken(['k', 'claims', 'secret'])).stdout).toMatch('Nobody has stated the claim "secret"');
  expect((await json(['k', 'show', 'e'])).entry.claim_stance).toBe('contradicts');
});
