import { statSync } from 'node:fs';
import path from 'node:path';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import type { ConversationId } from '../../../domain/conversations/conversation-id.ts';
import type { ConversationIndex, IndexedMetadata } from '../../../domain/conversations/conversation-index.ts';

/** The metadata of every conversation: from the index where its file has not changed, else read and indexed. */
export async function listMetadata(
  root: string,
  ids: readonly ConversationId[],
  index: ConversationIndex,
  read: (directory: string) => Promise<Metadata | undefined>,
): Promise<ReadonlyMap<ConversationId, Metadata>> {
  if (ids.length === 0) return new Map();
  const known = await index.all(root);
  const found = new Map<ConversationId, Metadata>();
  const changed: IndexedMetadata[] = [];
  for (const id of ids) {
    const directory = path.join(root, id);
    const stamp = stampOf(path.join(directory, 'metadata.json'));
    const indexed = known.get(id);
    const isFresh = indexed !== undefined && indexed.stamp === stamp;
    const metadata = isFresh ? indexed.metadata : await read(directory);
    if (!metadata) continue;
    found.set(id, metadata);
    if (!isFresh && stamp !== undefined) changed.push({ id, stamp, metadata });
  }
  const gone = [...known.keys()].filter((id) => !found.has(id));
  if (changed.length > 0 || gone.length > 0) await index.update(root, changed, gone);
  return found;
}

/** Every replacement makes a new file, so the inode alone nearly tells; time and size tell the rest. */
function stampOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
}
