import { type HtmlConverter, readPage } from '../web/read-page.ts';
import type { WebClient } from '../web/web-client.ts';
import type { AttachmentReader } from './attach.ts';

/** `https://…`: one page through the guarded client, as Markdown. */
export function attachedPages(ports: {
  readonly web: WebClient;
  readonly html: HtmlConverter;
}): AttachmentReader {
  return {
    async read(source, signal) {
      if (!/^https?:/i.test(source)) return undefined;
      const answer = await ports.web.get({ url: source }, signal);
      if (answer.type !== 'page') throw new Error('A page that nobody knew was not modified.');
      return [{ source: answer.url, text: (await readPage(ports, answer)).text }];
    },
  };
}
