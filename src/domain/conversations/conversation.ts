import type { JsonObject } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { Labels } from '../labels/label.ts';
import { matchesSelector } from '../labels/parse-selector.ts';
import type { ConversationId } from './conversation-id.ts';
import type { ConversationQuery } from './store.ts';

export interface Conversation {
  readonly id: ConversationId;
  /** Kept out of the workspace, in the user's own data directory. */
  readonly isLocal: boolean;
  readonly metadata: Metadata;
}

/** The parts of a conversation that can change without a turn; times are milliseconds since the epoch. */
export interface Metadata {
  readonly title?: string;
  readonly createdAt: number;
  readonly activeAt: number;
  readonly labels: Labels;
  readonly pinnedAt?: number;
  readonly archivedAt?: number;
  readonly parent?: ConversationId;
  /** Keys of other programs or later versions, kept as they are. */
  readonly others: JsonObject;
}

/** Undefined when it is blank. */
export function givenTitle(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}

const TITLE_LENGTH = 60;

/** Shortens the first question to a title; undefined when it is blank. */
export function titleFrom(question: string): string | undefined {
  const [line = ''] = question.trim().split('\n', 1);
  if (line === '') return undefined;
  const letters = [...line.slice(0, (TITLE_LENGTH + 1) * 2)];
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}

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
