import { Fault } from '../../base/fault.ts';
import { decodeText, parseMediaType } from './decode-text.ts';
import { markdownLinks, type PageLink } from './markdown-links.ts';
import type { WebPage } from './web-client.ts';

export interface HtmlConverter {
  /** Extracts the main content and makes its links absolute. Accepts any text. */
  toMarkdown(
    html: string,
    url: string,
  ): Promise<{ readonly title: string | undefined; readonly markdown: string }>;
}

export interface PageText {
  readonly title: string | undefined;
  readonly format: 'markdown' | 'plain';
  readonly text: string;
  /** Links of an `llms.txt`, offered but not followed; empty for every other page. */
  readonly offers: readonly PageLink[];
}

/** A header can contain whole sentences, and a page must not describe itself in ken's messages. */
const TYPE_NAME = /^[a-z]+\/[a-z0-9.+-]{1,60}$/;

/** Converts HTML to Markdown; other text stays as it is. A Fault for content that is not text. */
export async function readPage(ports: { readonly html: HtmlConverter }, page: WebPage): Promise<PageText> {
  const type = parseMediaType(page.contentType);
  const kind = kindOf(type.name, page.body);
  if (kind === 'binary') {
    const what = TYPE_NAME.test(type.name) ? `${type.name}, not text` : 'no text';
    throw new Fault('net/not-text', `${page.url} is ${what}.`, {
      hint: 'ken keeps web pages and text files.',
    });
  }
  const text = decodeText(page.body, type);
  if (kind === 'html') {
    const { title, markdown } = await ports.html.toMarkdown(text, page.url);
    return { title, format: 'markdown', text: markdown, offers: [] };
  }
  const { pathname } = new URL(page.url);
  const isMarkdown = type.name.includes('markdown') || MARKDOWN_FILES.test(pathname);
  return {
    title: isMarkdown ? firstHeading(text) : undefined,
    format: isMarkdown ? 'markdown' : 'plain',
    text,
    offers: LINK_LISTS.test(pathname) ? markdownLinks(text, page.url) : [],
  };
}

function firstHeading(markdown: string): string | undefined {
  const line = markdown.split('\n', 200).find((one) => one.startsWith('# '));
  return line?.slice(2, 300).trim() || undefined;
}

const LINK_LISTS = /\/llms(-[a-z]+)?\.txt$/i;
const MARKDOWN_FILES = /\/llms(-[a-z]+)?\.txt$|\.(md|mdx|markdown)$/i;

function kindOf(name: string, body: Uint8Array): 'html' | 'text' | 'binary' {
  if (name === 'text/html' || name === 'application/xhtml+xml') return 'html';
  if (TEXT.test(name)) return body.subarray(0, 8192).includes(0) && !isUtf16(body) ? 'binary' : 'text';
  if (name !== '' && name !== 'application/octet-stream') return 'binary';
  if (body.subarray(0, 8192).includes(0)) return isUtf16(body) ? 'text' : 'binary';
  return HTML_START.test(new TextDecoder('windows-1252').decode(body.subarray(0, 1024))) ? 'html' : 'text';
}

const TEXT =
  /^(text\/.*|application\/(json|json5|ld\+json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|x-sh|x-httpd-php|sql|rtf|x-tex|x-ndjson)|.*\+(json|xml|yaml))$/;
const HTML_START = /^\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body|title|script|meta|div|p|h1|table)\b/is;

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
