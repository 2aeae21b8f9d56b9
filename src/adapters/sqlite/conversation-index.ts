/** One text for each directory of conversations: a list of thousands is read faster whole than row by row. */

import { isJsonList, isJsonObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import type { Metadata } from '../../domain/conversations/conversation.ts';
import { isConversationId } from '../../domain/conversations/conversation-id.ts';
import type { ConversationIndex, IndexedMetadata } from '../../domain/conversations/conversation-index.ts';
import type { Labels } from '../../domain/labels/label.ts';
import type { Database } from './database.ts';
import { LazyLabels } from './lazy-labels.ts';
import type { Migration } from './migrate.ts';

export const CONVERSATION_INDEX: readonly Migration[] = [
  {
    name: 'conversation-lists',
    run: (connection) =>
      connection.exec(`create table conversation_list (
        root text primary key,
        compared_at integer,
        state text,
        entries text not null,
        stamps text not null
      ) strict`),
  },
];

export function sqliteConversationIndex(database: Database): ConversationIndex {
  return {
    async read(root) {
      const select = 'select compared_at, state, entries, stamps from conversation_list where root = ?';
      const row = await database.read(() => database.statement(select).get(root));
      if (!row) return undefined;
      const entries = parseJson(String(row.entries));
      const conversations = isJsonList(entries) ? entriesFrom(entries) : [];
      const stamps = () => String(row.stamps).split(' ');
      if (typeof row.compared_at !== 'number') return { conversations, stamps };
      return { conversations, stamps, compared: { at: row.compared_at, state: String(row.state) } };
    },
    async replace(root, { conversations, compared, stamps }) {
      const entries = JSON.stringify(conversations.map(entryToJson));
      await database.write(() =>
        database
          .statement('insert or replace into conversation_list values (?, ?, ?, ?, ?)')
          .run(root, compared?.at ?? null, compared?.state ?? null, entries, stamps().join(' ')),
      );
    },
  };
}

/** Labels and other keys as texts of their own: they are read when somebody asks, which lists seldom do. */
function entryToJson({ id, metadata }: IndexedMetadata): Json {
  const { title, createdAt, activeAt, pinnedAt, archivedAt, parent, labels, others } = metadata;
  const rest = [title ?? null, pinnedAt ?? null, archivedAt ?? null, parent ?? null];
  const texts = [JSON.stringify(Object.fromEntries(labels)), JSON.stringify(others)];
  return [id, createdAt, activeAt, ...rest, ...texts];
}

/** Written for the interpreter, which runs it thousands of times before it is compiled: no spreads, no closures. */
function entriesFrom(list: readonly Json[]): IndexedMetadata[] {
  const entries: IndexedMetadata[] = [];
  for (const entry of list) {
    if (!isJsonList(entry)) continue;
    const id = entry[0];
    const metadata = metadataFrom(entry);
    if (typeof id !== 'string' || !isConversationId(id) || !metadata) continue;
    entries.push({ id, metadata });
  }
  return entries;
}

function metadataFrom(entry: readonly Json[]): Metadata | undefined {
  const createdAt = entry[1];
  const activeAt = entry[2];
  if (typeof createdAt !== 'number' || typeof activeAt !== 'number') return undefined;
  const labels = entry[7] === '{}' ? NO_LABELS : new LazyLabels(String(entry[7]));
  const others = entry[8] === '{}' ? NONE : objectIn(String(entry[8]));
  const metadata: { -readonly [Name in keyof Metadata]: Metadata[Name] } = {
    createdAt,
    activeAt,
    labels,
    others,
  };
  if (typeof entry[3] === 'string') metadata.title = entry[3];
  if (typeof entry[4] === 'number') metadata.pinnedAt = entry[4];
  if (typeof entry[5] === 'number') metadata.archivedAt = entry[5];
  if (typeof entry[6] === 'string' && isConversationId(entry[6])) metadata.parent = entry[6];
  return metadata;
}

const NO_LABELS: Labels = new Map();
const NONE: JsonObject = {};

function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
