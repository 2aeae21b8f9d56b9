import { type IndexStore, NOTHING_KNOWN } from './index-store.ts';

/** How many chunks of these sources each topic has. */
export async function countByTopic(
  store: IndexStore,
  sources: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const { groups, chunkBlocks } = await store.snapshot({
    known: NOTHING_KNOWN,
    terms: [],
    filter: undefined,
  });
  const topics = new Map(
    groups.filter(({ source }) => sources.has(source)).map(({ number, topic }) => [number, topic]),
  );
  const counts = new Map<string, number>();
  for (const { present, groups: groupOf } of chunkBlocks) {
    for (let at = 0; at < present.length; at++) {
      const topic = present[at] === 1 ? topics.get(groupOf[at] ?? -1) : undefined;
      if (topic !== undefined) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
  }
  return counts;
}
