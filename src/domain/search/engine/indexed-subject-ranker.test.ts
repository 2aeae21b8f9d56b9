import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { Fault } from '../../../base/fault.ts';
import type { SubjectRanker } from '../../knowledge-base/subject-ranker.ts';
import { textChunks } from '../index/text-chunks.ts';
import type { ListedSource } from '../sources/search-source.ts';
import { indexedSubjectRanker } from './indexed-subject-ranker.ts';
import { searchEngine } from './search-engine.ts';

const SUBJECTS: Readonly<Record<string, string>> = {
  'project/deploy': 'Nothing to see.\n\n- We tag first.\n- Deployments of the ferry wait for Monday.\n',
  'project/tickets': 'A ticket holds a seat for twelve minutes.\n',
  'other/ferry': 'The ferry of another topic.\n',
};

const source: ListedSource = {
  name: 'kb',
  list: async () =>
    Object.entries(SUBJECTS).map(([id, text]) => ({
      source: 'kb',
      id,
      hash: text,
      meta: {},
      load: async () => ({
        source: 'kb',
        id,
        kind: 'subject' as const,
        topic: id.split('/')[0] ?? '',
        path: '',
        title: '',
        hash: text,
        meta: {},
        labels: new Map(),
        chunks: textChunks(text),
      }),
    })),
  describe: async () => [],
};

const plain: SubjectRanker = { rank: async () => [{ slug: 'plain', snippet: '' }] };

function ranked(words: string, slugs: readonly string[], store = indexInMemory()) {
  const candidates = slugs.map((slug) => ({ slug, text: () => undefined }));
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const ranker = indexedSubjectRanker({ store, embedder: undefined, engine, source, plain });
  return ranker.rank({ topicId: 'project', words, candidates, limit: 10 });
}

it('finds the subject by any form of its words, with the snippet that answers', async () => {
  expect(await ranked('how is the ferry deployed', ['deploy', 'tickets'])).toEqual([
    { slug: 'deploy', snippet: '- Deployments of the ferry wait for Monday.' },
  ]);
});

it('looks at nothing but the candidates', async () => {
  expect(await ranked('ferry', ['tickets'])).toEqual([]);
});

it('ranks plainly what is not in the index, and when the index cannot be used', async () => {
  expect(await ranked('ferry', ['elsewhere'])).toEqual([{ slug: 'plain', snippet: '' }]);
  const broken = { ...indexInMemory(), items: () => Promise.reject(new Fault('store/full', 'Full.')) };
  expect(await ranked('ferry', ['deploy'], broken)).toEqual([{ slug: 'plain', snippet: '' }]);
});

it('does not hide a bug', async () => {
  const broken = { ...indexInMemory(), items: () => Promise.reject(new Error('a bug')) };
  await expect(ranked('ferry', ['deploy'], broken)).rejects.toThrow('a bug');
});
