/** Files that are read as text though they are none: each format has an extractor in adapters/documents/extract. */

import type { DocumentFormat } from '../../base/text.ts';

/** Reads hostile files, too: within limits, in a process of its own that reaches no file. */
export interface DocumentReader {
  /** Markdown. Never throws; the same bytes always give the same text. */
  read(document: { readonly format: DocumentFormat; readonly bytes: Uint8Array }): Promise<DocumentText>;
}

export type DocumentText =
  | { readonly ok: true; readonly text: string }
  /** A part of a sentence, as in `it is encrypted`. */
  | { readonly ok: false; readonly problem: string };
