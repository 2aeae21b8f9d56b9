import type { LineRange } from '../../../base/line-range.ts';
import type { Citation } from '../citations/citation.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { Expected } from './read-questions.ts';

/** Whether a chunk is what was expected. Versions do not count: what is expected is expected of the next one, too. */
export function matchesExpected(chunk: StoredChunk, { text, citation }: Expected): boolean {
  if (!citation) return chunk.path === text;
  return isOf(chunk, citation) && overlaps(chunk, 'lines' in citation ? citation.lines : undefined);
}

function isOf(chunk: StoredChunk, citation: Citation): boolean {
  switch (citation.kind) {
    case 'subject':
      return chunk.kind === 'subject' && chunk.id === `${citation.topic}/${citation.slug}`;
    case 'reference':
      return chunk.kind === 'chunk' && chunk.topic === citation.topicId && chunk.path === citation.path;
    case 'entry':
      return chunk.kind === 'entry' && chunk.id === citation.id;
    case 'turn':
      return (
        chunk.kind === 'turn' &&
        chunk.id === citation.conversation &&
        (citation.turn === undefined || chunk.heading === `turn ${citation.turn}`)
      );
  }
}

function overlaps({ firstLine, lastLine }: StoredChunk, lines: LineRange | undefined): boolean {
  return !lines || lastLine === 0 || (firstLine <= lines.last && lastLine >= lines.first);
}
