/** Prose in pieces: by heading, paragraphs joined while they are short; every piece knows its lines. */

import type { IndexChunk } from './index-item.ts';
import { type Passage, passagesOf } from './passages.ts';

const TARGET = 1_600;

export function textChunks(text: string): IndexChunk[] {
  const chunks: IndexChunk[] = [];
  let open: Passage | undefined;
  const close = () => {
    if (open)
      chunks.push({ heading: open.heading, body: open.text, firstLine: open.first, lastLine: open.last });
    open = undefined;
  };
  const lines = text.split('\n');
  for (const passage of passagesOf(text)) {
    const between = open ? lines.slice(open.last, passage.first - 1) : [];
    if (open && belongTogether(open, passage) && between.every((line) => line.trim() === '')) {
      const joined = [open.text, ...between, passage.text].join('\n');
      open = { ...open, text: joined, last: passage.last };
    } else {
      close();
      open = passage;
    }
  }
  close();
  return chunks;
}

function belongTogether(above: Passage, below: Passage): boolean {
  return above.heading === below.heading && above.text.length + below.text.length <= TARGET;
}
