import { compareCodePoints } from '../../base/text.ts';
import { matchesSelector } from '../labels/parse-selector.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationQuery } from './store.ts';

/** The conversations a query asks for: pinned first, then the most recently active; ties by id, newest first. */
export function ordered(all: readonly Conversation[], query: ConversationQuery): readonly Conversation[] {
  const wanted = all.filter(({ metadata, isLocal }) => {
    if (query.local !== 'with' && isLocal !== (query.local === 'only')) return false;
    const isArchived = metadata.archivedAt !== undefined;
    if (query.archived !== 'with' && isArchived !== (query.archived === 'only')) return false;
    return query.labels.length === 0 || matchesSelector(metadata.labels, query.labels);
  });
  wanted.sort(compare);
  return query.limit === undefined ? wanted : wanted.slice(0, query.limit);
}

function compare(a: Conversation, b: Conversation): number {
  const isPinned = a.metadata.pinnedAt !== undefined;
  if (isPinned !== (b.metadata.pinnedAt !== undefined)) return isPinned ? -1 : 1;
  return b.metadata.activeAt - a.metadata.activeAt || compareCodePoints(b.id, a.id);
}
