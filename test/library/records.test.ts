import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/library.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { gardenWorkspace } from '../mcp/garden.ts';
import { referencePlace } from '../references/library.ts';

const README = '# Signals\n\nA signal notifies its readers when its value changes.\n';
const GUIDE = '# Batching\n\nSeveral writes inside batch() notify the readers once.\n';

it('lists and searches a reference topic', async () => {
  const place = referencePlace({
    'README.md': README,
    'docs/batch.md': GUIDE,
    'src/lib.rs': 'fn batch() {}\n',
  });
  const create = [
    'ref',
    'create',
    '--title',
    'Signals',
    '--git',
    place.url,
    '--tag',
    'ui',
    '--label',
    'team=a',
  ];
  expect((await place.ken(create)).code).toBe(0);
  await place.ken(['init']);
  const environment = { KEN_HOME: place.home, PATH: process.env.PATH };
  await using ken = await openWorkspace(place.root, { environment });

  const [topic, ...others] = await ken.references({ labels: ['team=a'] });
  expect(others).toEqual([]);
  expect(topic).toEqual({
    id: 'topic-signals',
    title: 'Signals',
    status: 'active',
    fetchedAt: expect.stringMatching(/^\d{4}-/),
    files: 3,
    tags: ['ui'],
    labels: { team: 'a' },
  });
  expect(await ken.references({ labels: ['team=b'] })).toEqual([]);

  const { hits } = await ken.searchReferences('notify readers once', {
    topic: 'signals',
    kind: 'docs',
    limit: 1,
  });
  expect(hits.map(({ citation, topic: of }) => ({ path: citation.path, of: of?.topic_id }))).toEqual([
    { path: 'docs/batch.md', of: 'topic-signals' },
  ]);
  const shown = await ken.show(hits[0]?.citation.uri ?? '');
  expect(shown).toEqual({ text: expect.stringContaining('inside batch()'), isChanged: false });

  await place.ken(['ref', 'update', 'signals', '--status', 'obsolete']);
  expect(await ken.references()).toEqual([]);
  expect(await ken.references({ all: true })).toMatchObject([{ id: 'topic-signals', status: 'obsolete' }]);
});

it('changes the labels of a conversation', async () => {
  const place = gardenWorkspace();
  await place.ken(['q', '-n', '--title', 'x', '--label', 'wip', '--label', 'team=a', 'How do we deploy?']);
  const environment = { KEN_HOME: place.home, PATH: process.env.PATH };
  await using ken = await openWorkspace(place.root, { environment });

  const changed = await ken.relabel('@last', ['wip-', 'team=b', 'done']);

  expect(changed.labels).toEqual({ team: 'b', done: '' });
  expect(await ken.conversation('@last')).toMatchObject({ id: changed.id, labels: { team: 'b', done: '' } });
  await expect(ken.relabel('@last', ['=x'])).rejects.toMatchObject({ code: 'labels/invalid', kind: 'usage' });
  await expect(ken.relabel('nowhere', ['x'])).rejects.toMatchObject({ kind: 'not-found' });
});

it('checks the evidence of facts, and lists the rules and the jobs', async () => {
  const place = gardenWorkspace();
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  const environment = { KEN_HOME: place.home, PATH: process.env.PATH };
  await using ken = await openWorkspace(place.root, { environment });
  place.write('notes.md', '# Notes\n\nUse 8080.\n');
  const fact = { title: 'Ports', text: 'Use 8080.', provenance: ['file:notes.md#L3'] };
  const { id } = await ken.addFact(fact);
  expect(await ken.verifyFacts()).toEqual([
    { id, provenance: 'file:notes.md#L3', verdict: 'ok', isFixed: false },
  ]);
  place.write('notes.md', '# Notes\n\nSome more.\n\nUse 8080.\n');
  expect(await ken.verifyFacts([id], { fix: true })).toMatchObject([
    { verdict: 'moved', movedTo: 'file:notes.md#L5', isFixed: true },
  ]);
  await expect(ken.verifyFacts(['none'])).rejects.toMatchObject({ kind: 'not-found' });

  expect(await ken.rules()).toEqual([]);
  const promote = ['k', 'promote', id, '--evidence-ref', 'file:notes.md#L5', '--reason', 'agreed'];
  expect(await place.ken([...promote, '--as', 'procedural/ports'])).toMatchObject({ code: 0 });
  expect(await ken.rules()).toEqual([{ id: 'procedural/ports', title: 'Ports', text: 'Use 8080.' }]);

  expect(await ken.jobs({ all: true })).toEqual([]);
});
