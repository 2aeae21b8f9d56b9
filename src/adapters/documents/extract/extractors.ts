import type { DocumentFormat } from '../../../base/text.ts';
import type { DocumentText } from '../../../domain/chunks/document-text.ts';
import { docxText } from './docx-text.ts';
import { epubText } from './epub-text.ts';
import { notebookText } from './notebook-text.ts';
import { pdfText } from './pdf-text.ts';
import { DocumentProblem } from './problem.ts';

/** Each returns Markdown, or throws a `DocumentProblem`. */
const EXTRACTORS: Readonly<Record<DocumentFormat, (bytes: Buffer) => string | Promise<string>>> = {
  docx: docxText,
  epub: epubText,
  ipynb: notebookText,
  pdf: pdfText,
};

export async function extractText(format: DocumentFormat, bytes: Buffer): Promise<DocumentText> {
  try {
    return { ok: true, text: await EXTRACTORS[format](bytes) };
  } catch (error) {
    return { ok: false, problem: error instanceof DocumentProblem ? error.message : 'it is damaged' };
  }
}
