import { Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import type { Language } from '../../domain/chunks/file-kind.ts';
import { readGrammar, readRuntime } from './grammar-files.ts';

let runtime: Promise<void> | undefined;
const parsers = new Map<Language, Promise<Parser>>();

/** The caller deletes the tree; undefined when the limit was reached. */
export async function parseSource(
  text: string,
  language: Language,
  limitMs: number,
): Promise<Tree | undefined> {
  const parser = await parserFor(language);
  const tree = parser.parse(text, null, { progressCallback: limitedTo(limitMs) });
  if (tree) return tree;
  parser.reset();
  return undefined;
}

function parserFor(language: Language): Promise<Parser> {
  const known = parsers.get(language);
  if (known) return known;
  const opened = openParser(language);
  parsers.set(language, opened);
  return opened;
}

async function openParser(language: Language): Promise<Parser> {
  runtime ??= readRuntime().then((wasmBinary) => Parser.init({ wasmBinary }));
  const [bytes] = await Promise.all([readGrammar(language), runtime]);
  return new Parser().setLanguage(await Grammar.load(bytes));
}

/** Reading the clock costs more than a step of the parser. */
const STEPS_BETWEEN_LOOKS = 32;

/** Processor time, so that a busy machine does not change what is parsed. */
function limitedTo(limitMs: number): () => boolean {
  const start = process.threadCpuUsage();
  let steps = 0;
  return () => {
    if (++steps % STEPS_BETWEEN_LOOKS !== 0) return false;
    const { user, system } = process.threadCpuUsage(start);
    return user + system > limitMs * 1000;
  };
}
