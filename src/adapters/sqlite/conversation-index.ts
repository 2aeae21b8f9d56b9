import type { Json } from '../../base/json.ts';
import { type ConversationId, isConversationId } from '../../domain/conversations/conversation-id.ts';
import type { ConversationIndex, IndexedMetadata } from '../../domain/conversations/conversation-index.ts';
import { metadataFromJson, metadataToJson } from '../../domain/conversations/metadata-file.ts';
import type { Database } from './database.ts';
import type { Migration } from './migrate.ts';

export const CONVERSATION_INDEX: readonly Migration[] = [
  {
    name: 'conversation-metadata',
    run: (connection) =>
      connection.exec(`create table conversation_metadata (
        root text not null,
        id text not null,
        stamp text not null,
        metadata text not null,
        primary key (root, id)
      ) strict, without rowid`),
  },
];

export function sqliteConversationIndex(database: Database): ConversationIndex {
  return {
    async all(root) {
      const rows = await database.read(() =>
        database.statement('select id, stamp, metadata from conversation_metadata where root = ?').all(root),
      );
      const found = new Map<ConversationId, IndexedMetadata>();
      for (const row of rows) {
        const indexed = indexedFrom(String(row.id), String(row.stamp), String(row.metadata));
        if (indexed) found.set(indexed.id, indexed);
      }
      return found;
    },
    async update(root, changed, gone) {
      await database.write(() => {
        const put = database.statement('insert or replace into conversation_metadata values (?, ?, ?, ?)');
        for (const { id, stamp, metadata } of changed) {
          put.run(root, id, stamp, JSON.stringify(metadataToJson(metadata)));
        }
        const remove = database.statement('delete from conversation_metadata where root = ? and id = ?');
        for (const id of gone) remove.run(root, id);
      });
    },
  };
}

function indexedFrom(id: string, stamp: string, text: string): IndexedMetadata | undefined {
  const metadata = metadataFromJson(JSON.parse(text) as Json);
  return metadata && isConversationId(id) ? { id, stamp, metadata } : undefined;
}
