/** Prose in pieces: by heading, paragraphs joined while they are short; every piece knows its lines. */

import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import { eventTexts } from '../../conversations/event-text.ts';
import type { IndexChunk } from './index-item.ts';
import { type TextBlock, textBlocks } from './text-blocks.ts';

const TARGET = 1_600;

export function textChunks(text: string): IndexChunk[] {
  const chunks: IndexChunk[] = [];
  let open: TextBlock | undefined;
  const close = () => {
    if (open)
      chunks.push({ heading: open.heading, body: open.text, firstLine: open.first, lastLine: open.last });
    open = undefined;
  };
  const lines = text.split('\n');
  for (const block of textBlocks(text)) {
    const between = open ? lines.slice(open.last, block.first - 1) : [];
    if (open && belongTogether(open, block) && between.every((line) => line.trim() === '')) {
      const joined = [open.text, ...between, block.text].join('\n');
      open = { ...open, text: joined, last: block.last };
    } else {
      close();
      open = block;
    }
  }
  close();
  return chunks;
}

function belongTogether(above: TextBlock, below: TextBlock): boolean {
  return above.heading === below.heading && above.text.length + below.text.length <= TARGET;
}

/** The chunks of a conversation, each of one turn. The heading begins with the turn's number; there are no lines. */
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
