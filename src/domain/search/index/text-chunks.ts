/** Cuts prose by headings, and joins short paragraphs. */

import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import { eventTexts, OFFLINE_MODEL } from '../../conversations/event-text.ts';
import type { IndexChunk } from './index-item.ts';
import { type TextBlock, textBlocks } from './text-blocks.ts';

const TARGET = 1_600;
/** More of it is a pasted file. */
const LONGEST_QUESTION = 1_000;

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

/**
 * The answers of a conversation, each chunk of one turn with the question of that turn. What a person asked and what
 * the offline model quoted is no knowledge. The heading begins with the turn's number; there are no lines.
 */
export function turnChunks(events: Iterable<ConversationEvent>): IndexChunk[] {
  const chunks: IndexChunk[] = [];
  let question = '';
  for (const { kind, turn, text, model } of eventTexts(events)) {
    if (kind === 'user') question = text.slice(0, LONGEST_QUESTION);
    if (kind !== 'assistant' || model === OFFLINE_MODEL) continue;
    for (const { heading, body } of textChunks(text)) {
      chunks.push({
        heading: heading === '' ? `turn ${turn}` : `turn ${turn}${HEADING_SEPARATOR}${heading}`,
        body,
        firstLine: 0,
        lastLine: 0,
        ...(question !== '' && { question }),
      });
    }
  }
  return chunks;
}
