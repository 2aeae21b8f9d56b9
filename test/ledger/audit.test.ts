import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const LONG =
  'before every deploy somebody has to tag the release and write down what has changed since the last one';

it('finds what deserves a look in the ledger', async () => {
  const place = sandboxHere('');
  const add = (id: string, text: string, ...more: string[]) =>
    place.ken(['k', 'add', '--id', id, '--title', 'Same', '--text', text, '--provenance', 'cmd:x', ...more]);
  await add('a', 'Tea at  FOUR.');
  await add('b', 'tea at four.');
  await add('c', `${LONG} was shipped`);
  await add('d', `${LONG} was published`);
  await add('e', 'The key is AKIAIOSFODNN7EXAMPLE', '--allow-secret');
  await add('f', 'Somewhere.', '--provenance', 'file:gone.md');
  await add('g', 'It was true once.', '--ttl-policy', 'ephemeral', '--expires-ts', '1Z');
  await add('h', 'Port 1.', '--merge-key', 'Auth-Flow');
  await add('i', 'Port 2.', '--merge-key', 'auth_flow');
  await add('j', 'Old.', '--merge-key', 'chain');
  await add('k', 'Newer than old.', '--merge-key', 'chain', '--on-conflict', 'supersede');
  await place.ken(['k', 'deprecate', 'k']);
  await place.ken([
    'k',
    'retrieval-log',
    '--query',
    'q',
    '--returned-ids',
    'a,b',
    '--used-ids',
    'a',
    '--outcome',
    'helped',
  ]);
  place.write('.ken/knowledge/knowledge.promotions.jsonl', '{"event_id":"evt_1"}\n');
  const { code, stdout } = await place.ken(['k', 'audit', '--json']);
  const { audited, findings, feedback } = JSON.parse(stdout);
  const told = findings.map(
    ({ kind, ids }: { kind: string; ids: string[] }) => `${kind} ${[...ids].sort().join(' ')}`,
  );
  expect({ code, audited }).toEqual({ code: 6, audited: 11 });
  expect(told.sort()).toEqual([
    'contradictory_key h i',
    'exact_duplicate a b',
    'expired_active g',
    'near_duplicate c d',
    'no_active_tip j',
    'orphan_evidence f',
    'promotion_ledger ',
    'secret e',
  ]);
  expect(feedback).toEqual([
    { id: 'a', retrieved: 1, helped: 1, hurt: 0, helped_rate: 1, hurt_rate: 0 },
    { id: 'b', retrieved: 1, helped: 0, hurt: 0, helped_rate: 0, hurt_rate: 0 },
  ]);
});

it('names evidence of every kind that is not there any more, and none that nobody could tell of', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = ".ken/kb/project"\n');
  const audited = async () => {
    const { stdout } = await place.ken(['k', 'audit', '--json']);
    const findings: { kind: string; message: string }[] = JSON.parse(stdout).findings;
    return findings.filter(({ kind }) => kind === 'orphan_evidence').map(({ message }) => message);
  };
  const cite = (id: string, ...provenance: string[]) =>
    place.ken([
      ...['k', 'add', '--id', id, '--title', id, '--text', `All about ${id}.`],
      ...provenance.flatMap((each) => ['--provenance', each]),
    ]);
  place.write('.ken/kb/project/tea.md', '# Tea\n\nAt four.\n');
  const there = ['file:here.md#L1', 'ref:ken://entry/first', 'ref:ken://kb/project/tea#L1'];
  const gone = [
    'file:gone.md#L1-L2',
    'event:NONE',
    'ref:ken://entry/none@v1',
    'ref:ken://kb/project/none#L3',
  ];
  const elsewhere = [
    'ref:ken://ref/topic-none@0123abc/a.md#L1',
    'ref:ken://conversation/1m7fx94ccg93#turn-2',
  ];
  place.write('here.md', 'Here.\n');
  await cite('first', 'cmd:ls', 'url:https://example.com/');
  await cite('second', ...there, ...gone, ...elsewhere, 'commit:0123abc');
  const named = [...gone, ...elsewhere].map((each) => `${each} is not there.`);
  expect(await audited()).toEqual(named);
  await place.shell('git init -q . && git -c user.name=a -c user.email=a@b commit -qm x --allow-empty');
  const { stdout } = await place.shell('git rev-parse HEAD');
  await cite('third', `commit:${stdout.trim()}`);
  expect(await audited()).toEqual([...named, 'commit:0123abc is not there.']);
  // One that cannot be read is no orphan, and keeps nobody from looking at the others.
  mkdirSync(path.join(place.root, '.ken/conversations/1m7fx94ccg93/events.jsonl'), { recursive: true });
  expect(await audited()).toEqual([...named.slice(0, -1), 'commit:0123abc is not there.']);
  const checked = JSON.parse((await place.ken(['k', 'verify', 'second', '--json'])).stdout).citations;
  expect(checked.map(({ verdict }: { verdict: string }) => verdict).slice(-3)).toEqual([
    'missing',
    'unchecked',
    'missing',
  ]);
});

it.each([
  ['JSON', JSON.stringify([{ id: 1, memory: 'Tea.' }, { id: 2, content: 'tea.' }, { id: 3 }])],
  [
    'JSON in an object',
    JSON.stringify({
      user: 'x',
      memories: [
        { id: 1, text: 'Tea.' },
        { id: 2, text: 'tea.' },
      ],
    }),
  ],
  ['JSON lines', '{"id":1,"text":"Tea."}\n{"id":2,"text":"tea."}\n'],
  ['a Markdown list', '# Things\n\n- Tea.\n* tea.\n'],
])('looks at another collection in %s without taking it in', async (_, content) => {
  const place = sandboxHere('');
  place.write('foreign.txt', content);
  const { code, stdout } = await place.ken(['k', 'audit', '--from', 'foreign.txt', '--json']);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 6,
    audited: 2,
    findings: [{ kind: 'exact_duplicate' }],
  });
  expect((await place.ken(['k', 'list', '--json'])).stdout).toBe('{"entries":[]}\n');
});

it.each([
  ['nothing at all', '', 0],
  ['an empty list', '{"memories": []}', 0],
  ['only texts', '["Tea."]', 1],
])('finds nothing in a collection that is %s', async (_, content, audited) => {
  const place = sandboxHere('');
  place.write('foreign.txt', content);
  const { code, stdout } = await place.ken(['k', 'audit', '--from', 'foreign.txt', '--json']);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, audited, findings: [], feedback: [] });
});

it.each([
  ['prose', 'Tea at four.\n'],
  ['bytes', new Uint8Array([0, 255, 254, 7, 10, 200])],
  ['other JSON', '[{"id": 1, "note": "Tea."}]'],
  ['lines of which one is torn', '{"id":1,"text":"Tea."}\n{"id":2,"te'],
  ['an export of ken’s', '{"format":"ken-ledger","version":1}\n{"id":"a","versions":[]}\n'],
])('does not take %s for a collection in which nothing is wrong', async (_, content) => {
  const place = sandboxHere('');
  place.write('foreign.txt', content);
  expect(await place.ken(['k', 'audit', '--from', 'foreign.txt'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: ken cannot read this as a collection of texts.\n' +
      'hint: It reads JSON or JSON lines of {id, text|content|memory}, and Markdown lists.\n',
  });
});
