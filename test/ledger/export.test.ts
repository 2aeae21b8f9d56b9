import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { exportedEntry, parseExportedEntry } from '../../src/domain/ledger/exchange/exported-entry.ts';
import { scaled } from '../scale.ts';
import { adding, type LedgerSandbox, ledgerSandbox } from './ledger-sandbox.ts';

it('goes to another workspace and back, whole, and a second time changes nothing', async () => {
  const [here, there] = [ledgerSandbox(), ledgerSandbox()];
  here.write('ports.md', 'The API is on 8080.\n');
  await here.json(adding('a', '--merge-key', 'k', '--tag', 't', '--label', 'team=red', '--claim-id', 'c'));
  await here.json(
    adding('x', '--merge-key', 'k', '--text', 'Ünïcode 🙂\nand lines', '--provenance', 'file:ports.md#L1'),
  );
  await here.json(adding('b', '--merge-key', 'k', '--on-conflict', 'supersede', '--ttl-policy', 'decay'));
  await here.json(['k', 'deprecate', 'b']);
  here.write('ports.md', 'New.\nThe API is on 8080.\n');
  await here.ken(['k', 'verify', 'a', '--fix']);
  const { stdout } = await here.ken(['k', 'export']);
  there.write('in.jsonl', stdout);
  expect(await there.ken(['k', 'import', 'in.jsonl', '--dry-run'])).toMatchObject({
    code: 0,
    stderr: '2 would be imported, 0 unchanged, 0 left out.\n',
  });
  expect((await there.json(['k', 'list', '--status', 'all'])).entries).toEqual([]);
  await there.json(['k', 'import', 'in.jsonl']);
  expect((await there.ken(['k', 'export'])).stdout).toBe(stdout);
  expect(await there.ken(['k', 'import', '-'], { input: stdout })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '0 imported, 2 unchanged, 0 left out.\n',
  });
  const { versions } = await there.json(['k', 'history', 'a']);
  expect(versions).toEqual((await here.json(['k', 'history', 'a'])).versions);
  expect(await citesOf(there, 'a')).toEqual([['cmd:x'], ['file:ports.md#L1'], [], ['file:ports.md#L2']]);
  expect((await there.json(['k', 'show', 'a'])).entry.verified).toBe(null);
  await here.json(['k', 'export', '--output', 'out.jsonl']);
  expect(readFileSync(path.join(here.root, 'out.jsonl'), 'utf8')).toBe(stdout);
  expect((await here.ken(['k', 'export', '--output', '-'])).stdout).toBe(stdout);
  expect(existsSync(path.join(here.root, '-'))).toBe(false);
  expect((await here.json(['k', 'export', '--output', 'out.jsonl'], 5)).error.code).toBe('files/exists');
});

it('takes an entry before the one that supersedes it, wherever they stand in the file', async () => {
  const [here, there] = [ledgerSandbox(), ledgerSandbox()];
  for (const id of ['c', 'b', 'a'])
    await here.json(adding(id, '--text', id, '--merge-key', 'k', '--on-conflict', 'supersede'));
  await here.json(adding('alone', '--text', 'x'));
  const { stdout } = await here.ken(['k', 'export']);
  const [head, ...lines] = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(['a', 'alone', 'b', 'c']);
  there.write('in.jsonl', [head, ...lines].join('\n'));
  await there.json(['k', 'import', 'in.jsonl']);
  expect((await there.ken(['k', 'export'])).stdout).toBe(stdout);
});

/** Citations that each change of an entry added. */
async function citesOf({ json }: LedgerSandbox, id: string): Promise<string[][]> {
  const { events } = await json(['k', 'history', id]);
  const changes: { id: string; cites?: { provenance: string }[] }[] = events.flatMap(
    ({ changes: all }: { changes: [] }) => all,
  );
  return changes.map(({ cites = [] }) => cites.map(({ provenance }) => provenance));
}

it('takes a ledger larger than the memory it is given, out and in, one entry after the other', async () => {
  const [here, there] = [ledgerSandbox(), ledgerSandbox()];
  await here.json(adding('a', '--text', 'x'));
  const [head = '', line = ''] = (await here.ken(['k', 'export'])).stdout.split('\n');
  const entry = JSON.parse(line);
  const count = scaled(1000);
  const lines = Array.from({ length: count }, (_, at) => {
    // Each supersedes the one behind it in the file, so that none can be written before the last was seen.
    const supersedes_id = at + 1 < count ? `e${at + 1}` : null;
    const text = `Port ${at}. ${'The kettle is on. '.repeat(1800)}`;
    return JSON.stringify({
      ...entry,
      id: `e${at}`,
      supersedes_id,
      versions: [{ ...entry.versions[0], text }],
    });
  });
  there.write('in.jsonl', [head, ...lines, ''].join('\n'));
  // Less than the file has bytes; a word of JavaScript more than ken needs to start.
  const environment = { NODE_OPTIONS: '--max-old-space-size=32' };
  const ran = (...words: string[]) => there.ken(words, { environment });
  expect(await ran('k', 'import', 'in.jsonl')).toMatchObject({
    code: 0,
    stderr: `${count} imported, 0 unchanged, 0 left out.\n`,
  });
  expect(await ran('k', 'import', 'in.jsonl', '--dry-run')).toMatchObject({
    code: 0,
    stderr: `0 would be imported, ${count} unchanged, 0 left out.\n`,
  });
  expect(await there.shell('ken k export > out.jsonl', { environment })).toMatchObject({ code: 0 });
  const [came, went] = ['in.jsonl', 'out.jsonl'].map((name) =>
    readFileSync(path.join(there.root, name), 'utf8').trim().split('\n').sort(),
  );
  expect(went?.length).toBe(count + 1);
  expect(went?.every((each, at) => each === came?.[at])).toBe(true);
});

it('promotes nothing, writes no secret, and names what is wrong with each line', async () => {
  const { ken, json, message, write } = ledgerSandbox();
  await json(adding('a'));
  const [head = '', line = ''] = (await ken(['k', 'export'])).stdout.split('\n');
  const like = (id: string, change: (entry: ReturnType<typeof JSON.parse>) => void) => {
    const entry = { ...JSON.parse(line), id };
    change(entry);
    return JSON.stringify(entry);
  };
  const lines = [
    head,
    like('procedural/x', () => {}),
    like('Procedural/y', () => {}),
    like('secret', ({ versions }) => {
      versions[0].text = 'AKIAIOSFODNN7EXAMPLE';
    }),
    like('future', (entry) => {
      entry.created_at = '4000000000Z';
      Object.assign(entry.versions[0], { updated_at: '4000000000Z', written_at: '4000000000Z' });
    }),
    like('early', ({ versions }) => {
      versions[0].written_at = '1Z';
    }),
    like('upwards', ({ versions }) => {
      versions[0].provenance = 'file:../x';
    }),
    like('twice', ({ citations }) => {
      citations.push(citations[0]);
    }),
    like('cited', ({ citations }) => {
      citations[0] = { ...citations[0], cited_at: '4000000000Z' };
    }),
    like('ended', ({ citations }) => {
      citations[0] = { ...citations[0], until_version: 2 };
    }),
    like('none', (entry) => {
      entry.versions = [];
    }),
    'no json',
    like('good', () => {}),
  ];
  write('in.jsonl', `${lines.join('\n')}\n`);
  const { code, stdout } = await ken(['k', 'import', 'in.jsonl', '--json']);
  const told = JSON.parse(stdout).entries.map(
    ({ id, what, reason }: Record<string, string>) => `${id}: ${what} ${reason}`,
  );
  expect({ code, told: told.sort() }).toEqual({
    code: 1,
    told: [
      'Procedural/y: refused Its id cannot be read.',
      'cited: refused Its cited_at does not fit its other times.',
      'early: refused Its written_at does not fit its other times.',
      'ended: refused Its citations cannot be read.',
      'future: refused Its updated_at lies in the future; compare the clocks of the two machines.',
      'good: imported null',
      'line 12: refused Its id cannot be read.',
      'none: refused Its versions cannot be read.',
      'procedural/x: refused A rule is made by "ken knowledge promote" alone.',
      'secret: refused It looks like a secret (aws-access-key).',
      'twice: refused Its citations cannot be read.',
      'upwards: refused Its provenance cannot be read.',
    ],
  });
  write('other.json', '[{"id":"x","text":"y"}]');
  expect(await message(['k', 'import', 'other.json'], 2)).toBe('This is not an export of a ledger.');
});

it('reads or refuses any JSON, and what it reads it writes back', () => {
  const isUri = () => false;
  const entry = {
    id: 'a',
    created_at: '5Z',
    supersedes_id: null,
    versions: [
      {
        ...{ updated_at: '5Z', written_at: '5Z', title: 't', text: 'x', provenance: 'cmd:x', claim_id: null },
        ...{
          merge_key: null,
          status: 'active',
          ttl_policy: 'persistent',
          expires_ts: null,
          tags: [],
          labels: {},
        },
      },
    ],
    citations: [
      {
        ...{ provenance: 'cmd:x', sha256: null, version: 1, until_version: null },
        ...{ cited_at: '5Z', cited_by: 'ada' },
      },
    ],
    feedback: { retrieved: 0, helped: 0, hurt: 0 },
  };
  expect(exportedEntry(parseExportedEntry(entry, 9, isUri))).toEqual(entry);
  const path = fc.constantFrom<string[]>(
    ...['id', 'created_at', 'supersedes_id', 'versions', 'citations', 'feedback'].map((name) => [name]),
    ...Object.keys(entry.versions[0] ?? {}).map((name) => ['versions', '0', name]),
    ...Object.keys(entry.citations[0] ?? {}).map((name) => ['citations', '0', name]),
    ['feedback', 'helped'],
  );
  fc.assert(
    fc.property(path, fc.jsonValue(), (names, value) => {
      const changed = structuredClone(entry);
      let at: Record<string, unknown> = changed;
      for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
      at[names.at(-1) ?? ''] = value;
      try {
        const read = parseExportedEntry(changed as Json, 9, isUri);
        expect(parseExportedEntry(exportedEntry(read), 9, isUri)).toEqual(read);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
    { examples: [[['citations', '0', 'until_version'], { toString: {} }]], numRuns: 1000 },
  );
});
