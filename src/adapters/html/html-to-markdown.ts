import type { HtmlConverter } from '../../domain/web/read-page.ts';
import { attribute, findElement, type HtmlElement, isElement, plainText } from './html-tree.ts';
import { isPermalink, linksOf } from './links.ts';
import { mainContent, measure } from './main-content.ts';
import { removeNoise } from './noise.ts';
import { parseHtml } from './parse-html.ts';
import { renderBlocks } from './render-blocks.ts';

export const htmlConverter: HtmlConverter = {
  toMarkdown: async (html, url) => htmlToMarkdown(html, url),
};

export interface MarkdownPage {
  readonly title: string | undefined;
  /** Ends with a line feed; empty when the page has no content. */
  readonly markdown: string;
}

/** Accepts any text; `url` makes its links absolute. */
export function htmlToMarkdown(html: string, url: string): MarkdownPage {
  const page = parseHtml(html);
  const names = { title: titleOf(page), heading: headingOf(page, /^h1$/) };
  const links = linksOf(page, url);
  const content = readable(page, html);
  const blocks = renderBlocks([content], { links });
  const { title, isMissing } = nameOf(content, names);
  if (blocks.length > 0 && isMissing && title) {
    blocks.unshift(...renderBlocks([{ name: 'h1', attributes: new Map(), children: [title] }], { links }));
  }
  return { title, markdown: blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n` };
}

/** The heading of the content. One above it may name the site, and counts only if the page's title begins with it. */
function nameOf(
  content: HtmlElement,
  page: { readonly title: string | undefined; readonly heading: string | undefined },
): { title: string | undefined; isMissing: boolean } {
  const own = headingOf(content, /^h1$/);
  if (own) return { title: own, isMissing: false };
  const { title = '' } = page;
  if (page.heading && title.startsWith(page.heading)) return { title: page.heading, isMissing: true };
  const first = headingOf(content, /^h[1-6]$/);
  if (first && title.startsWith(first)) return { title: first, isMissing: false };
  return { title: title || page.heading, isMissing: true };
}

function headingOf(parent: HtmlElement, names: RegExp): string | undefined {
  const heading = findElement(parent, (element) => names.test(element.name) && plainText(element) !== '');
  return heading && plainText(withoutPermalinks(heading));
}

function withoutPermalinks(heading: HtmlElement): HtmlElement {
  const children = heading.children.filter(
    (child) => !isElement(child) || child.name !== 'a' || !isPermalink(child),
  );
  return { ...heading, children };
}

/** Removes noise and finds the content. Class names are ignored when going by them would lose most of the prose. */
function readable(page: HtmlElement, html: string): HtmlElement {
  const before = measure(page).of(page).prose;
  removeNoise(page, true);
  const content = mainContent(page);
  if (measure(content).of(content).prose >= before * 0.1) return content;
  const again = parseHtml(html);
  removeNoise(again, false);
  const larger = mainContent(again);
  return measure(larger).of(larger).prose > measure(content).of(content).prose ? larger : content;
}

function titleOf(page: HtmlElement): string | undefined {
  const shared = findElement(page, (element) => attribute(element, 'property') === 'og:title');
  const own = findElement(page, ({ name }) => name === 'title');
  const text =
    (shared && attribute(shared, 'content')) || own?.children.filter((one) => !isElement(one)).join('');
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}
