import { expect, it } from 'vitest';
import { noDocuments } from '../../../../test/doubles/documents.ts';
import { builtinEmbedder } from '../../../adapters/embedders/builtin.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { Fault } from '../../../base/fault.ts';
import { plainChunker } from '../../chunks/plain-chunks.ts';
import { createTopic } from '../../references/lifecycle/create-topic.ts';
import { searchReferences } from '../../references/search/search-references.ts';
import {
  createInput,
  libraryDesk,
  never,
  REPOSITORY,
  repositoryOf,
  YES,
} from '../../references/topic/library-desk.contract.ts';
import type { Embedder } from '../index/embedder.ts';
import { referenceIndex } from './reference-index.ts';
import { searchEngine } from './search-engine.ts';

const builtin = builtinEmbedder();

function desk(embedder: Embedder | undefined) {
  const made = libraryDesk(YES, YES);
  made.repositories[REPOSITORY] = repositoryOf({
    'state.md': '# Signals\n\nSignals hold state, and tell whoever reads them.\n',
    'bindings.md': '# Bindings\n\nThe C++ bindings need a compiler.\n',
    'garden.rs': '// Roses want sun.\n',
  });
  const { library, store } = made;
  const portsFor = (by: Embedder | undefined) => ({
    ...made.ports,
    referenceIndex: referenceIndex({
      library,
      store,
      hasher: systemHasher,
      chunker: plainChunker,
      documents: noDocuments,
      embedder: by,
      engine: searchEngine({ stores: [store], embedder: by }),
    }),
  });
  const ids = async (question: string, by = embedder) =>
    (await searchReferences(portsFor(by), { question }, never)).hits.map(({ id }) => id);
  const without = async ({ identity }: Embedder) =>
    (await store.unembedded((await identity()).fingerprint, 10)).length;
  return { ports: portsFor(embedder), portsFor, ids, without };
}

it('finds by any word of a question, whatever signs it has, and by no word that only ken uses', async () => {
  const { ports, ids } = desk(undefined);
  await createTopic(ports, createInput({ title: 'Kettle' }), never);
  expect(await ids('how do I use signals for state?')).toEqual(['topic-kettle/state.md']);
  expect(await ids('C++')).toEqual(['topic-kettle/bindings.md']);
  for (const word of ['reference', 'topic', 'chunk', 'docs', 'code', 'git', 'active', 'Markdown', 'file'])
    expect([word, await ids(word)]).toEqual([word, []]);
});

it('makes and searches topics while the embedder is away, and gives them vectors once it is back', async () => {
  let isAway = true;
  const shaky: Embedder = {
    identity: async () => {
      if (isAway) throw new Fault('embedder/unreachable', 'Nobody answers.');
      return builtin.identity();
    },
    embed: (...given) => builtin.embed(...given),
  };
  const { ports, ids, without } = desk(shaky);
  expect(await createTopic(ports, createInput(), never)).toMatchObject({
    kind: 'created',
    topic: { file_count: 3, chunk_count: 3, warnings: [] },
  });
  expect((await ids('signals hold state'))[0]).toBe('topic-signals/state.md');
  expect(await without(builtin)).toBe(4);
  isAway = false;
  expect((await ids('signals hold state'))[0]).toBe('topic-signals/state.md');
  expect(await without(builtin)).toBe(0);
});

it('leaves the vectors of another embedder to whoever changes the library', async () => {
  const { ports, portsFor, ids, without } = desk(builtin);
  const other: Embedder = {
    ...builtin,
    identity: async () => ({ ...(await builtin.identity()), fingerprint: 'another' }),
  };
  await createTopic(ports, createInput(), never);
  expect(await ids('signals hold state', other)).toContain('topic-signals/state.md');
  expect([await without(builtin), await without(other)]).toEqual([0, 4]);
  await createTopic(portsFor(other), createInput({ title: 'Other' }), never);
  expect(await without(other)).toBe(0);
});
