/** The text of a PDF file, page by page. Scripts in it are not run, and nothing that it names is loaded. */

import { partHeading } from '../../../domain/chunks/chunk.ts';
import { DocumentProblem, escapedLine, MAX_TEXT_CHARACTERS, titleLine, UNTITLED } from './problem.ts';

const MAX_PAGES = 5_000;

export async function pdfText(bytes: Uint8Array): Promise<string> {
  if (!Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-'))
    throw new DocumentProblem('it is not a PDF file');
  const { getDocument, VerbosityLevel } = await import('unpdf/pdfjs');
  const opening = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
  });
  const pdf = await opening.promise.catch((cause: unknown) => {
    throw new DocumentProblem(isLocked(cause) ? 'it needs a password' : 'it is damaged', { cause });
  });
  if (pdf.numPages > MAX_PAGES) throw new DocumentProblem(`it has more than ${MAX_PAGES} pages`);
  const title = titleIn(await pdf.getMetadata().catch(() => undefined));
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number);
    length += text.length;
    if (length > MAX_TEXT_CHARACTERS) throw new DocumentProblem('its text is too long');
    pages.push(text);
  }
  if (length === 0) throw new DocumentProblem('it holds no text, only pictures perhaps');
  const bodies = pages.map((text, at) => `${partHeading('page', at + 1)}\n\n${text}`.trimEnd());
  return `${[`# ${title ?? firstLine(pages)}`, ...bodies].join('\n\n')}\n`;
}

function isLocked(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'PasswordException';
}

function titleIn(metadata: { readonly info: object } | undefined): string | undefined {
  const title = metadata && 'Title' in metadata.info ? metadata.info.Title : undefined;
  return typeof title === 'string' ? titleLine(title) : undefined;
}

function firstLine(pages: readonly string[]): string {
  const text = pages.find((page) => page !== '') ?? '';
  return titleLine((text.split('\n', 1)[0] ?? '').replace(/^[\\#\s]+/, '')) ?? UNTITLED;
}

interface Pages {
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly object[] }>;
    cleanup(): unknown;
  }>;
}

/** Empty for a page that is damaged: the others are still worth reading. */
async function pageText(pdf: Pages, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOf(items).map(escapedLine).join('\n').trim();
  } catch {
    return '';
  }
}

/** A gap of more than this many heights of a line begins a paragraph. */
const PARAGRAPH_GAP = 1.9;

function linesOf(items: readonly object[]): string[] {
  const lines: string[] = [];
  let line = '';
  let before: { readonly y: number; readonly height: number } | undefined;
  let here: { readonly y: number; readonly height: number } | undefined;
  const close = () => {
    const text = line.replace(/[\s\u00a0]+/g, ' ').trim();
    if (text !== '') {
      if (before && here && before.y - here.y > PARAGRAPH_GAP * Math.max(before.height, here.height))
        lines.push('');
      lines.push(text);
      before = here;
    }
    line = '';
    here = undefined;
  };
  for (const item of items) {
    if (!('str' in item) || typeof item.str !== 'string') continue;
    line += item.str;
    if (item.str.trim() !== '') here ??= placeOf(item);
    if ('hasEOL' in item && item.hasEOL === true) close();
  }
  close();
  return lines;
}

function placeOf(item: object): { readonly y: number; readonly height: number } | undefined {
  const transform: unknown = 'transform' in item ? item.transform : undefined;
  const height = 'height' in item ? Number(item.height) : Number.NaN;
  const y = Array.isArray(transform) ? Number(transform[5]) : Number.NaN;
  return Number.isFinite(y) && height > 0 ? { y, height } : undefined;
}
