/** What was said in a conversation, in passages of one turn each. */

import { HEADING_SEPARATOR } from '../chunks/chunk.ts';
import type { ConversationEvent } from '../conversations/event.ts';
import { eventTexts } from '../conversations/event-text.ts';
import type { IndexChunk } from './index-item.ts';
import { textChunks } from './text-chunks.ts';

/** The heading says first which turn it is; there are no lines to point at. */
export function turnChunks(events: Iterable<ConversationEvent>): IndexChunk[] {
  const said = [...eventTexts(events)].filter(({ kind }) => kind === 'user' || kind === 'assistant');
  return said.flatMap(({ turn, text }) =>
    textChunks(text).map(({ heading, body }) => ({
      heading: heading === '' ? `turn ${turn}` : `turn ${turn}${HEADING_SEPARATOR}${heading}`,
      body,
      firstLine: 0,
      lastLine: 0,
    })),
  );
}

/** 0 for what was said before the first turn. */
export function turnIn({ heading }: Pick<IndexChunk, 'heading'>): number {
  const [first = ''] = heading.split(HEADING_SEPARATOR, 1);
  return Number(/^turn (\d+)$/.exec(first)?.[1] ?? 0);
}
