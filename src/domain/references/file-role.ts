import type { FileRole } from './reference-index.ts';

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|org|html?|tex|rtf|pod|rdoc|textile)$/i;
const PROSE_NAMES =
  /(?:^|\/)(?:readme|license|licence|copying|changelog|changes|contributing|authors|notice|news)$/i;

export function roleOf(path: string): FileRole {
  return PROSE.test(path) || PROSE_NAMES.test(path) ? 'docs' : 'code';
}
