import type { JsonObject } from '../../base/json.ts';
import type { Labels } from '../labels/label.ts';
import type { ConversationId } from './conversation-id.ts';

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
