import type { HtmlConverter } from '../../domain/web/read-page.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

export const htmlConverter: HtmlConverter = {
  toMarkdown: async (html, url) => htmlToMarkdown(html, url),
};
