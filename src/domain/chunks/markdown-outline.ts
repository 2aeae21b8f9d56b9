/** Markdown by its headings; below them paragraphs, lists, tables, and fences, which are cut last. */

import { markdownParts } from './markdown-parts.ts';
import type { Block } from './outline.ts';
import { OutlineBuilder } from './outline-builder.ts';
import type { TextLines } from './text-lines.ts';

export function markdownOutline(lines: TextLines): Block[] {
  const outline = new OutlineBuilder();
  for (const { first, end, isSolid, heading } of markdownParts(lines)) {
    if (heading) outline.begin({ ...heading, first });
    outline.add({ first, end, name: '', blocks: [], isSolid });
  }
  return outline.finish(lines.count);
}
