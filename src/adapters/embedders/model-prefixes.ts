import type { EmbeddingPurpose } from '../../domain/search/index/embedder.ts';

/** Prefixes that models were trained with, for questions and for texts; without them their vectors are worse. */
const PREFIXES: readonly (readonly [model: RegExp, question: string, text: string])[] = [
  [/nomic-embed-text/i, 'search_query: ', 'search_document: '],
  [/embeddinggemma/i, 'task: search result | query: ', 'title: none | text: '],
  [/mxbai-embed|snowflake-arctic-embed/i, 'Represent this sentence for searching relevant passages: ', ''],
  [/\bbge-(?:small|base|large)-en/i, 'Represent this sentence for searching relevant passages: ', ''],
  [/(?:^|[/_-])e5-/i, 'query: ', 'passage: '],
];

export function prefixFor(model: string, purpose: EmbeddingPurpose): string {
  const found = PREFIXES.find(([pattern]) => pattern.test(model));
  if (!found) return '';
  return purpose === 'question' ? found[1] : found[2];
}
