import { expect, it } from 'vitest';
import { faultOf } from '../../../test/web/playground.ts';
import { markdownLinks } from './markdown-links.ts';
import { type HtmlConverter, readPage } from './read-page.ts';
import type { WebPage } from './web-client.ts';

/** Says what it was given. */
const html: HtmlConverter = {
  toMarkdown: async (text, url) => ({ title: url, markdown: `converted: ${text}` }),
};

const pageOf = (body: string | Uint8Array, contentType: string | undefined, path = '/page'): WebPage => ({
  type: 'page',
  url: `https://site.example${path}`,
  redirects: [],
  validators: { url: '' },
  fetchedAt: 0,
  contentType,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  sha256: '',
  wireBytes: 0,
});

const read = (...input: Parameters<typeof pageOf>) => readPage({ html }, pageOf(...input));

it.each([
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'application/xhtml+xml',
  undefined,
  'application/octet-stream',
])('HTML as %s is converted', async (contentType) => {
  expect(await read('<!doctype html><p>é', contentType)).toEqual({
    title: 'https://site.example/page',
    format: 'markdown',
    text: 'converted: <!doctype html><p>é',
    offers: [],
  });
});

it.each([
  ['text/markdown; charset=utf-8', '/page', 'markdown', 'Title'],
  ['text/x-markdown', '/page', 'markdown', 'Title'],
  ['text/plain', '/README.md', 'markdown', 'Title'],
  ['text/plain', '/page', 'plain', undefined],
  ['text/html-like', '/page', 'plain', undefined],
  ['application/json', '/page', 'plain', undefined],
  ['application/vnd.api+json', '/page', 'plain', undefined],
  ['image/svg+xml', '/page', 'plain', undefined],
  [undefined, '/page', 'plain', undefined],
])('%s at %s is kept as it is', async (contentType, path, format, title) => {
  const text = '\n# Title\n\n<b>kept</b> & all\n';
  expect(await read(text, contentType, path)).toEqual({ title, format, text, offers: [] });
});

it.each([
  ['application/pdf', '%PDF', 'https://site.example/page is application/pdf, not text.'],
  ['image/png', 'x', 'https://site.example/page is image/png, not text.'],
  ['image/obey me', 'x', 'https://site.example/page is no text.'],
  ['text/plain', 'a\0b', 'https://site.example/page is text/plain, not text.'],
  [undefined, 'a\0b', 'https://site.example/page is no text.'],
])('%s with %j is refused', async (contentType, body, message) => {
  expect(await faultOf(read(body, contentType))).toEqual({ code: 'net/not-text', message });
});

it('UTF-16 has zeros and is text', async () => {
  const body = Uint8Array.of(0xff, 0xfe, 0x41, 0);
  expect(await read(body, 'text/plain')).toMatchObject({ text: 'A' });
  expect(await read(body, undefined)).toMatchObject({ text: 'A' });
});

it.each(['/llms.txt', '/docs/llms-full.txt'])('%s is one page, whose links are offered', async (path) => {
  const text = '# Site\n\n- [Guide](guide.md): how to\n- [Other](https://other.example/x#part "title")\n';
  expect(await read(text, 'text/plain', path)).toEqual({
    title: 'Site',
    format: 'markdown',
    text,
    offers: [
      { title: 'Guide', url: new URL('guide.md', `https://site.example${path}`).href },
      { title: 'Other', url: 'https://other.example/x' },
    ],
  });
});

it('links are those a reader could follow, each once', () => {
  const markdown = [
    '[a](x) ![image](y) [b](<z z>) [c](<w>) [a again](x#part) [mail](mailto:a@b) [d](javascript:x)',
    '`[code](v)` [unclosed](u',
    '```md\n[fenced](t)\n```',
    '~~~~\n[fenced](s)\n~~~\n[still](r)\n~~~~',
    '[after](q)',
  ].join('\n');
  expect(markdownLinks(markdown, 'https://site.example/')).toEqual([
    { title: 'a', url: 'https://site.example/x' },
    { title: 'b', url: 'https://site.example/z%20z' },
    { title: 'c', url: 'https://site.example/w' },
    { title: 'after', url: 'https://site.example/q' },
  ]);
});

it.each(['[a](x', '[', '`', '[a]('.padEnd(1000, 'x'), '````\n'])(
  'links of %j, over and over, are read in time',
  (piece) => {
    const text = piece.repeat(300_000 / piece.length);
    expect(markdownLinks(text, 'https://site.example/')).toEqual([]);
  },
);
