import type { Chunk, Chunker, FileText } from './chunk.ts';
import { definitionOutline } from './definition-outline.ts';
import { type FileKind, fileKind } from './file-kind.ts';
import { jsonOutline } from './json-outline.ts';
import { markdownParts } from './markdown-parts.ts';
import { type Block, OutlineBuilder } from './outline.ts';
import { packOutline } from './pack-outline.ts';
import { TextLines } from './text-lines.ts';
import { tomlOutline } from './toml-outline.ts';
import { yamlOutline } from './yaml-outline.ts';

export function plainChunks({ path, text }: FileText): Chunk[] {
  const lines = new TextLines(text);
  return packOutline(lines, (OUTLINES[fileKind(path)] ?? definitionOutline)(lines));
}

/** Cuts by lines alone, which is fastest. */
export function lineChunks(text: string): Chunk[] {
  return packOutline(new TextLines(text), []);
}

/** Works without grammars. */
export const plainChunker: Chunker = {
  chunk: async (file) => plainChunks(file),
};

const OUTLINES: Partial<Record<FileKind, (lines: TextLines) => Block[]>> = {
  markdown: markdownOutline,
  json: jsonOutline,
  toml: tomlOutline,
  yaml: yamlOutline,
  text: () => [],
};

function markdownOutline(lines: TextLines): Block[] {
  const outline = new OutlineBuilder();
  for (const { first, end, isSolid, heading } of markdownParts(lines)) {
    if (heading) outline.begin({ ...heading, first });
    outline.add({ first, end, name: '', blocks: [], isSolid });
  }
  return outline.finish(lines.count);
}
