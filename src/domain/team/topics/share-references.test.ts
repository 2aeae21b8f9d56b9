import { expect, it } from 'vitest';
import { memoryReferenceLibrary } from '../../../../test/doubles/reference-library.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { exampleTopic } from '../../references/topic/library.contract.ts';
import { isGood, type ReferenceLibrary } from '../../references/topic/library.ts';
import type { ReferenceTopic } from '../../references/topic/topic.ts';
import { copyReference, referenceStates } from './share-references.ts';

const never = new AbortController().signal;

async function publish(
  library: ReferenceLibrary,
  files: Readonly<Record<string, string>>,
  changes: Partial<ReferenceTopic> = {},
): Promise<void> {
  const topic = exampleTopic(changes);
  const [place] = topic.sources;
  const staged = await library.stage();
  const locked = Object.entries(files).map(([path, text]) => ({
    path,
    source: place?.type === 'local' ? place.path : (place?.url ?? ''),
    sha256: systemHasher.sha256(text),
    bytes: text.length,
    fetchedAt: 1,
  }));
  for (const [path, text] of Object.entries(files)) await staged.write(path, new TextEncoder().encode(text));
  await staged.publish(topic, { files: locked, skipped: [] });
}

const copied = (from: ReferenceLibrary, to: ReferenceLibrary) =>
  copyReference({ from, to, hasher: systemHasher }, 'signals', never);

async function digestIn(library: ReferenceLibrary): Promise<string | undefined> {
  return (await referenceStates(library, systemHasher, () => true)).get('signals')?.digest;
}

it('copies a topic whole, again and again, and both have the same digest', async () => {
  const [from, to] = [memoryReferenceLibrary(), memoryReferenceLibrary()];
  await publish(from, { 'a.md': 'a', 'b/c.md': 'c' });
  for (let time = 0; time < 2; time++) expect(await copied(from, to)).toBeUndefined();
  expect(await digestIn(to)).toBe(await digestIn(from));
  expect(await to.filePaths('signals')).toEqual(['a.md', 'b/c.md']);
});

it('takes over no approval, no typed address and no place of another machine', async () => {
  const approved = { files: 9, bytes: 9 };
  const sources: ReferenceTopic['sources'] = [
    { type: 'local', path: '/home/ada/secret-project/manuals', approved, unknown: {} },
    { type: 'git', url: '/home/ada/repo', paths: [], isTyped: true, approved, unknown: {} },
    { type: 'git', url: 'https://example.org/o/r', paths: [], isTyped: true, unknown: {} },
    { type: 'web', url: 'https://example.org/page', approved, unknown: {} },
  ];
  const [from, to] = [memoryReferenceLibrary(), memoryReferenceLibrary()];
  await publish(from, { 'a.md': 'a' }, { sources, approvedBy: { operator: 'mallory', id: 'x' } });
  await copied(from, to);
  const kept = await to.get('signals');
  const topic = kept && isGood(kept) ? kept.topic : undefined;
  expect(topic?.approvedBy).toBeUndefined();
  expect(topic?.sources).toEqual([
    { type: 'local', path: 'elsewhere:manuals', unknown: {} },
    { type: 'git', url: 'elsewhere:repo', paths: [], unknown: {} },
    { type: 'git', url: 'https://example.org/o/r', paths: [], unknown: {} },
    { type: 'web', url: 'https://example.org/page', unknown: {} },
  ]);
  expect((await to.lock('signals')).files[0]?.source).toBe('elsewhere:manuals');
  expect(JSON.stringify([topic, await to.lock('signals')])).not.toContain('/home/ada');
  expect(await digestIn(to)).toBe(await digestIn(from));
});

it('leaves a topic as it is when a file is not what its lock says', async () => {
  const [from, to] = [memoryReferenceLibrary(), memoryReferenceLibrary()];
  await publish(to, { 'a.md': 'old' });
  await publish(from, { 'a.md': 'new', 'b.md': 'B' });
  const lying: ReferenceLibrary = {
    ...from,
    readFile: async (slug, path) =>
      path === 'b.md' ? new TextEncoder().encode('something else') : from.readFile(slug, path),
  };
  expect(await copied(lying, to)).toBe('b.md is missing or does not match its lock');
  expect(new TextDecoder().decode(await to.readFile('signals', 'a.md'))).toBe('old');
});
