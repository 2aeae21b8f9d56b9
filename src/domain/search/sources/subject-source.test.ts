import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { plainChunker } from '../../chunks/plain-chunks.ts';
import type { TopicFiles } from '../../knowledge-base/subject-files.ts';
import { knowledgeBaseFrom } from '../../knowledge-base/topic.ts';
import { syncIndex } from '../index/sync-index.ts';
import { subjectSource } from './subject-source.ts';

const TOPIC = { subjects: 'kb', enable: true, learned: [], disabled: [], follow_symlinks: false };

/** One file, whose stamp is told by hand; counts how often it is read. */
function opened(file: { text: string; stamp: string | undefined }) {
  let reads = 0;
  const topicFiles: TopicFiles = {
    open: async () => ({
      list: () => ({ files: ['gate.md'], skipped: [] }),
      read() {
        reads += 1;
        const bytes = new TextEncoder().encode(file.text);
        return { ok: true, bytes, size: bytes.length };
      },
      stamp: () => file.stamp,
    }),
  };
  const store = indexInMemory();
  const ports = { topicFiles, hasher: systemHasher, chunker: plainChunker };
  const sync = async (maxBytes = 1000) => {
    reads = 0;
    const kb = { max_subject_bytes: maxBytes, preload_budget_tokens: 0, topic: { p: TOPIC } };
    const source = subjectSource(ports, knowledgeBaseFrom(kb));
    const { indexed } = await syncIndex(
      { store, embedder: undefined },
      [source],
      new AbortController().signal,
    );
    return { reads, indexed };
  };
  return { sync };
}

it('reads a subject again only when its stamp is another, and indexes it only when its content is', async () => {
  const file: { text: string; stamp: string | undefined } = { text: 'The gate is open.\n', stamp: 's1' };
  const { sync } = opened(file);
  expect(await sync()).toEqual({ reads: 2, indexed: 1 });
  expect(await sync()).toEqual({ reads: 0, indexed: 0 });
  file.stamp = 's2';
  expect(await sync()).toEqual({ reads: 1, indexed: 0 });
  expect(await sync()).toEqual({ reads: 0, indexed: 0 });
  file.stamp = 's3';
  file.text = 'The gate is shut.\n';
  expect(await sync()).toEqual({ reads: 2, indexed: 1 });
  expect(await sync(5)).toEqual({ reads: 2, indexed: 1 });
});

it('reads a subject of which no stamp is known every time', async () => {
  const file: { text: string; stamp: string | undefined } = { text: 'The gate is open.\n', stamp: undefined };
  const { sync } = opened(file);
  await sync();
  expect(await sync()).toEqual({ reads: 1, indexed: 0 });
  file.text = 'The gate is shut.\n';
  expect(await sync()).toEqual({ reads: 2, indexed: 1 });
  file.stamp = 's1';
  expect(await sync()).toEqual({ reads: 1, indexed: 0 });
  expect(await sync()).toEqual({ reads: 0, indexed: 0 });
});
