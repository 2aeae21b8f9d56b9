/** What was said in a conversation, in passages of one turn each. */

import type { ConversationEvent } from '../conversations/event.ts';
import { eventTexts } from '../conversations/event-text.ts';
import type { IndexChunk } from './index-item.ts';
import { textChunks } from './text-chunks.ts';

/** The heading says which turn it is; there are no lines to point at. */
export function turnChunks(events: Iterable<ConversationEvent>): IndexChunk[] {
  const said = [...eventTexts(events)].filter(({ kind }) => kind === 'user' || kind === 'assistant');
  return said.flatMap(({ turn, text }) =>
    textChunks(text).map(({ body }) => ({ heading: `turn ${turn}`, body, firstLine: 0, lastLine: 0 })),
  );
}

/** 0 for what was said before the first turn. */
export function turnIn({ heading }: Pick<IndexChunk, 'heading'>): number {
  return Number(/^turn (\d+)$/.exec(heading)?.[1] ?? 0);
}
