/** Removes a topic and can put it back. Until then its files are held in memory alone. */

import type { GoodTopic, ReferenceLibrary } from '../topic/library.ts';
import type { ReadLock } from '../topic/lock.ts';
import { type NamingPorts, topicExists } from '../topic/topic-slug.ts';

export interface RemovedTopic extends Pick<GoodTopic, 'topic' | 'slug'> {
  readonly lock: ReadLock;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Undefined for a topic that is too large to be held; it is removed all the same. */
export async function removeTopic(
  { library }: { readonly library: ReferenceLibrary },
  { topic, slug }: GoodTopic,
  mostBytes: number,
): Promise<RemovedTopic | undefined> {
  const lock = await library.lock(slug);
  const bytes = lock.files.reduce((sum, file) => sum + file.bytes, 0);
  const files = new Map<string, Uint8Array>();
  if (bytes <= mostBytes)
    for (const { path } of lock.files) {
      const content = await library.readFile(slug, path);
      if (content) files.set(path, content);
    }
  await library.remove(slug);
  return bytes <= mostBytes ? { topic, slug, lock, files } : undefined;
}

/** A Fault when another topic has its name now. */
export async function putBackTopic(
  ports: NamingPorts,
  { topic, slug, lock, files }: RemovedTopic,
): Promise<void> {
  const staged = await ports.library.stage();
  try {
    for (const [path, content] of files) await staged.write(path, content);
    if (!(await staged.publish(topic, lock))) throw await topicExists(ports, slug);
  } finally {
    await staged.discard();
  }
}
