import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { referencePlace } from './library.ts';

const FILES = {
  'README.md': '# Signals\n\nA signal tells whoever reads it when it changes.\n',
  'docs/batch.md': '# Batching\n\nSeveral writes inside batch() notify the readers once.\n',
  'docs-old/roses.md': '# Roses\n\nRoses want sun and a little water.\n',
  'garden/trees.md': '# Trees\n\nApple trees are cut in winter.\n',
};

it('ends where answers do, among chunks and among topics', async () => {
  const { ken, url } = referencePlace(FILES);
  await ken(['ref', 'create', '--title', 'Signals', '--git', url, '--path', 'docs/', '--path', 'README.md']);
  await ken(['ref', 'create', '--title', 'Flowers', '--git', url, '--path', 'docs-old/']);
  await ken(['ref', 'create', '--title', 'Orchard', '--git', url, '--path', 'garden/']);
  const asked = async (...words: string[]) =>
    JSON.parse((await ken(['ref', 'search', ...words, '--json'])).stdout);
  const { hits } = await asked('batch', 'writes', 'notify', 'readers');
  expect(hits.map(({ id }: { id: string }) => id)).toEqual(['topic-signals/docs/batch.md']);
  const { topics } = await asked('--topics', 'cut', 'apple', 'trees');
  expect(topics.map(({ topic_id }: { topic_id: string }) => topic_id)).toEqual(['topic-orchard']);
});

it('never finds what references.exclude names, beside what a question leaves out', async () => {
  const { ken, url, write } = referencePlace(FILES);
  await ken(['ref', 'create', '--title', 'Signals', '--git', url]);
  write('docs-old/roses.md', '# Roses\n\nRoses of the workspace want sun and water.\n');
  const found = async (...words: string[]) => {
    const { hits } = JSON.parse((await ken([...words, '--json'])).stdout);
    return hits.map(({ citation }: { citation: { uri: string } }) => citation.uri.replace(/@\w+|#.*/g, ''));
  };
  const roses = ['search', 'roses want sun and a little water'];
  const topic = '[kb.topic.old]\nsubjects = "docs-old"\n';
  write('.ken/config.toml', topic);
  const there = 'ken://ref/topic-signals/docs-old/roses.md';
  expect(await found(...roses)).toContain(there);
  expect(await found('ref', ...roses)).toEqual([there]);
  write('.ken/config.toml', `references.exclude = ["docs-old/"]\n${topic}`);
  expect(await found(...roses)).toEqual(['ken://kb/old/roses']);
  expect(await found('ref', ...roses)).toEqual([]);
  expect(await found(...roses, '--exclude', 'docs-old/')).toEqual([]);
  expect(await found('ref', 'search', 'apple trees are cut')).toEqual([
    'ken://ref/topic-signals/garden/trees.md',
  ]);
});

it('asks topics with matching labels only', async () => {
  const { ken, url } = referencePlace(FILES);
  await ken(['ref', 'create', '--title', 'Signals', '--git', url, '--path', 'docs/', '--label', 'team=red']);
  await ken(['ref', 'create', '--title', 'Writes', '--git', url, '--path', 'docs/', '--label', 'team=blue']);
  const asked = async (...words: string[]) =>
    JSON.parse((await ken(['ref', 'search', 'batch writes notify readers', ...words, '--json'])).stdout);
  const { hits } = await asked('--label', 'team=blue');
  expect(hits.map(({ id }: { id: string }) => id)).toEqual(['topic-writes/docs/batch.md']);
  expect((await asked('--label', 'team!=blue')).hits[0].id).toBe('topic-signals/docs/batch.md');
  expect((await asked('--label', 'team=green')).hits).toEqual([]);
  const { topics } = await asked('--topics', '--label', 'team=red');
  expect(topics.map(({ topic_id }: { topic_id: string }) => topic_id)).toEqual(['topic-signals']);
});

it('takes a directory with its slash or without, and names a path that no file is at', async () => {
  const { ken, url } = referencePlace(FILES);
  await ken(['ref', 'create', '--title', 'Signals', '--git', url]);
  const whole = await ken(['ref', 'search', 'batch', 'roses', '--path', 'docs/']);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('/docs/batch.md:1 ') });
  expect(whole.stdout).not.toContain('docs-old');
  for (const written of ['docs', './docs', './/docs//']) {
    expect(await ken(['ref', 'search', 'batch', 'roses', '--path', written])).toEqual(whole);
    expect(await ken(['search', '--in', 'refs', 'batch', 'roses', '--path', written])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('/docs/batch.md:1 '),
    });
  }
  expect(await ken(['ref', 'search', 'batch', '--path', 'doc', '--path', 'docs/*.md'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'ken: There is no searched file at doc or docs/*.md.\n' +
      'hint: Name files or directories as "ken ref show TOPIC --files" lists them; globs do not work here.\n',
  });
  expect(await ken(['ref', 'search', 'zanzibar', '--path', 'doc', '--path', 'README.md'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Nothing was found.\n',
  });
});

it('tells of a source what its topic.md tells, and does not invent when it was fetched', async () => {
  const { ken, url, home, commit, kept } = referencePlace(FILES);
  const head = commit({ LICENSE: 'Free.\n' });
  await ken(['ref', 'create', '--title', 'Signals', '--git', url, '--ref', 'main', '--path', 'docs/']);
  expect(JSON.parse((await ken(['ref', 'show', 'signals', '--json'])).stdout).sources).toEqual([
    {
      type: 'git',
      url,
      ref: 'main',
      commit: head,
      paths: ['docs/'],
      typed: true,
      fetched_at: expect.stringMatching(/Z$/),
      approved: {
        files: expect.any(Number),
        bytes: expect.any(Number),
        licence: expect.stringMatching(/^LICENSE [0-9a-f]{40}$/),
      },
    },
  ]);
  const named = await ken(['ref', 'show', 'signals', '--files']);
  for (const address of ['ken://ref/topic-signals', `ken://ref/topic-signals@${head}/docs/batch.md#L1-L3`])
    expect(await ken(['ref', 'show', address, '--files'])).toEqual(named);
  const described = kept('signals/topic.md').replace(/^fetched_at = .*\n/m, '');
  writeFileSync(path.join(home, 'data/references/signals/topic.md'), described);
  expect(await ken(['ref', 'ls'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\ntopic-signals +Signals +active +unknown +1 *\n$/),
  });
});
