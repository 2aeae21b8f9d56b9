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
  for (const passage of passagesOf(text)) {
    const fits = open && open.heading === passage.heading && open.text.length + passage.text.length <= TARGET;
    if (open && fits) {
      const gap = '\n'.repeat(passage.first - open.last);
      open = { ...open, text: `${open.text}${gap}${passage.text}`, last: passage.last };
    } else {
      close();
      open = passage;
    }
  }
  close();
  return chunks;
}
