import { expect, it } from 'vitest';
import { serve } from '../web/servers.ts';
import { referencePlace } from './library.ts';
import { WILD_PAGES, type WildPage } from './wild-pages.ts';

/** A site whose pages may change, in a library that may reach it. */
async function site(pages: readonly WildPage[], allowed = 'net.allow = ["127.0.0.1"]\n') {
  const served = new Map(pages.map((page) => [page.path, page]));
  const web = await serve((request, response) => {
    const page = served.get(request.url ?? '');
    if (!page) return response.writeHead(404).end();
    const { etag, 'last-modified': modified } = page.headers ?? {};
    const isKnown =
      (etag !== undefined && request.headers['if-none-match'] === etag) ||
      (modified !== undefined && request.headers['if-modified-since'] === modified);
    return isKnown
      ? response.writeHead(304).end()
      : response.writeHead(page.status ?? 200, page.headers).end(page.body);
  });
  const place = referencePlace({ 'README.md': 'Read me.\n' }, allowed);
  const origin = `http://127.0.0.1:${web.port}`;
  const create = (...words: string[]) =>
    place.ken([
      'ref',
      'create',
      '--title',
      'Wild',
      ...pages.flatMap(({ path }) => ['--web', origin + path]),
      ...words,
    ]);
  const kept = () => {
    const lines = place.kept('wild/lock.jsonl').trimEnd().split('\n');
    const files = lines.map((line): { source: string; path: string } => JSON.parse(line));
    return new Map(
      files.map(({ source, path }) => [
        source.slice(origin.length),
        place.kept(`wild/files/${path}`).replaceAll(origin, 'ORIGIN'),
      ]),
    );
  };
  return { ...place, web, origin, served, create, pages: kept };
}

it('keeps pages as they are found in the wild, each as Markdown', async () => {
  const { create, pages, web, origin, ken } = await site(WILD_PAGES);
  expect(await create()).toEqual({
    code: 0,
    stdout: 'topic-wild\n',
    stderr:
      `topic-wild: ${WILD_PAGES.length} files, ${WILD_PAGES.length} chunks.\n` +
      `Pages that it names, not fetched: ${origin}/lists ${origin}/code.md\n`,
  });
  expect(pages()).toEqual(new Map(WILD_PAGES.map(({ path, markdown }) => [path, markdown])));
  expect(web.headers.at(-1)?.accept).toMatch(/^text\/markdown/);
  expect(web.requests).not.toContain('GET /code.md');
  const { hits } = JSON.parse((await ken(['ref', 'search', 'hard', 'water', '--json'])).stdout);
  const { uri, url } = hits[0].citation;
  expect(url).toBe(`${origin}/lists`);
  expect((await ken(['show', uri])).stdout).toContain('What hard water leaves.');
});

const GUIDE = '<main><h1>Guide</h1><p>First words.</p></main>';
const HTML = { 'content-type': 'text/html' };
const MONDAY = 'Mon, 05 Jan 2026 00:00:00 GMT';
const FOUR: readonly WildPage[] = [
  { path: '/tagged', headers: { ...HTML, etag: '"1"' }, body: GUIDE, markdown: '' },
  { path: '/dated', headers: { ...HTML, 'last-modified': MONDAY }, body: GUIDE, markdown: '' },
  { path: '/bare', headers: HTML, body: GUIDE, markdown: '' },
  { path: '/other', headers: HTML, body: GUIDE, markdown: '' },
];

it('a refresh asks with what is known, and changes only what changed', async () => {
  const { create, pages, web, served, ken, kept } = await site(FOUR);
  await create();
  const lock = kept('wild/lock.jsonl');
  expect(await ken(['ref', 'refresh', 'wild'])).toEqual({
    code: 0,
    stdout: 'topic-wild: unchanged\n',
    stderr: '',
  });
  expect(kept('wild/lock.jsonl')).toBe(lock);
  const asked = web.headers.slice(-4).map((each) => [each['if-none-match'], each['if-modified-since']]);
  expect(asked).toEqual([
    ['"1"', undefined],
    [undefined, MONDAY],
    [undefined, undefined],
    [undefined, undefined],
  ]);

  const second = GUIDE.replace('First', 'Second');
  served.set('/tagged', { path: '/tagged', headers: { ...HTML, etag: '"2"' }, body: second, markdown: '' });
  served.set('/bare', { path: '/bare', headers: HTML, body: second, markdown: '' });
  served.delete('/other');
  expect(await ken(['ref', 'refresh', 'wild'])).toEqual({
    code: 0,
    stdout: 'topic-wild: 2 changed\n  ~ 127-0-0-1-bare.md\n  ~ 127-0-0-1-tagged.md\n',
    stderr: expect.stringMatching(
      /^warning: topic-wild: http:\/\/127\.0\.0\.1:\d+\/other answered 404 \(Not Found\)\.\n$/,
    ),
  });
  expect(pages()).toEqual(
    new Map([
      ['/bare', '# Guide\n\nSecond words.\n'],
      ['/dated', '# Guide\n\nFirst words.\n'],
      ['/other', '# Guide\n\nFirst words.\n'],
      ['/tagged', '# Guide\n\nSecond words.\n'],
    ]),
  );
});

it('every page goes through the guard: an inner address, a redirect to one, and a page that may not be read', async () => {
  const closed = await site(FOUR, '');
  expect(await closed.create()).toMatchObject({
    code: 4,
    stdout: '',
    stderr:
      'ken: 127.0.0.1 is a loopback address; ken does not connect to those.\n' +
      'hint: If you trust it, add "127.0.0.1" to net.allow with "ken config set --user --append net.allow".\n',
  });
  expect(closed.web.connections()).toBe(0);
  expect(JSON.parse((await closed.ken(['ref', 'ls', '--json'])).stdout).topics).toEqual([]);

  const odd: readonly WildPage[] = [
    { path: '/good', headers: HTML, body: GUIDE, markdown: '' },
    {
      path: '/inward',
      status: 302,
      headers: { location: 'http://169.254.169.254/latest/meta-data/' },
      body: '',
      markdown: '',
    },
    { path: '/file', status: 302, headers: { location: 'file:///etc/passwd' }, body: '', markdown: '' },
    { path: '/loop', status: 302, headers: { location: '/loop' }, body: '', markdown: '' },
    {
      path: '/image',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array([0x89, 0x50]),
      markdown: '',
    },
    { path: '/empty', headers: HTML, body: '<body><script>draw()</script></body>', markdown: '' },
  ];
  const open = await site(odd);
  const made = await open.create('--json');
  const { file_count, warnings } = JSON.parse(made.stdout);
  expect(file_count).toBe(1);
  expect(warnings.map((each: string) => each.replaceAll(open.origin, ''))).toEqual([
    '/inward: 169.254.169.254 is a cloud metadata address; ken does not connect to those',
    '/file: file: addresses are not fetched; only http: and https: are',
    '/loop redirects in a circle, back to /loop',
    '/image is image/png, not text',
    '/empty contains no text',
  ]);
});
