import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { Language } from '../../domain/chunks/file-kind.ts';
import { packOutline } from '../../domain/chunks/pack-outline.ts';
import { TextLines } from '../../domain/chunks/text-lines.ts';
import { parseSource } from './source-parser.ts';
import { treeOutline } from './tree-outline.ts';

export interface ParseRequest {
  readonly text: string;
  readonly language: Language;
  readonly limitMs: number;
}

/** Place and heading of each chunk, in order; the other side has the text. */
export interface ParseReply {
  readonly lengths: Int32Array;
  readonly firstLines: Int32Array;
  readonly lastLines: Int32Array;
  readonly headings: readonly string[];
}

async function parse({ text, language, limitMs }: ParseRequest): Promise<ParseReply | undefined> {
  const tree = await parseSource(text, language, limitMs);
  if (!tree) return undefined;
  try {
    const lines = new TextLines(text);
    const outline = treeOutline(lines, tree.rootNode);
    if (!outline) return undefined;
    const chunks = packOutline(lines, outline);
    return {
      lengths: Int32Array.from(chunks, (chunk) => chunk.text.length),
      firstLines: Int32Array.from(chunks, ({ firstLine }) => firstLine),
      lastLines: Int32Array.from(chunks, ({ lastLine }) => lastLine),
      headings: chunks.map(({ heading }) => heading),
    };
  } finally {
    tree.delete();
  }
}

// Optimised grammars take hundreds of megabytes, and a repository is parsed before that pays off. The flags hold for
// the process: none of its Wasm is optimised from here on.
for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);

let last = Promise.resolve();

parentPort?.on('message', (request: ParseRequest) => {
  // In sequence, since replies are matched to requests by their order.
  last = last.then(async () => parentPort?.postMessage(await parse(request)));
});
