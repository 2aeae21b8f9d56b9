import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import type { WebClient, WebPage } from './web-client.ts';

/** A small web: by path, what is there. */
export type Site = Readonly<Record<string, Resource>>;

export interface Resource {
  readonly contentType?: string;
  readonly body?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Present: a redirect to there. */
  readonly location?: string;
}

export interface OpenedSite {
  readonly client: WebClient;
  readonly origin: string;
  /** The time of the client's clock. */
  readonly now: number;
}

const never = new AbortController().signal;
const SITE: Site = {
  '/page': {
    contentType: 'text/html; charset=utf-8',
    body: 'grüße',
    etag: '"1"',
    lastModified: 'Thu, 01 Jan 2026',
  },
  '/plain': { body: '' },
  '/old': { location: '/older' },
  '/older': { location: '/page' },
  '/circle': { location: '/circle' },
};

export function itFetchesPages(name: string, open: (site: Site) => Promise<OpenedSite>): void {
  const codeOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof Fault ? error.code : error;
  };

  it(`${name}: a page comes with where it is from`, async () => {
    const { client, origin, now } = await open(SITE);
    const page = (await client.get({ url: `${origin}/page#part` }, never)) as WebPage;
    expect({ ...page, body: new TextDecoder().decode(page.body) }).toEqual({
      type: 'page',
      url: `${origin}/page`,
      redirects: [],
      contentType: 'text/html; charset=utf-8',
      body: 'grüße',
      sha256: '8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834',
      wireBytes: 7,
      validators: { url: `${origin}/page`, etag: '"1"', lastModified: 'Thu, 01 Jan 2026' },
      fetchedAt: now,
    });
  });

  it(`${name}: an empty page is a page`, async () => {
    const { client, origin } = await open(SITE);
    expect(await client.get({ url: `${origin}/plain` }, never)).toMatchObject({
      type: 'page',
      contentType: undefined,
      body: { length: 0 },
      validators: { url: `${origin}/plain` },
    });
  });

  it(`${name}: redirects are followed and told`, async () => {
    const { client, origin } = await open(SITE);
    expect(await client.get({ url: `${origin}/old` }, never)).toMatchObject({
      url: `${origin}/page`,
      redirects: [`${origin}/old`, `${origin}/older`],
    });
    expect(await codeOf(client.get({ url: `${origin}/circle` }, never))).toBe('net/redirects');
    expect(await codeOf(client.get({ url: `${origin}/old`, limits: { maxRedirects: 1 } }, never))).toBe(
      'net/redirects',
    );
  });

  it(`${name}: what is known already is not fetched again`, async () => {
    const { client, origin, now } = await open(SITE);
    const known = { url: `${origin}/page`, etag: '"1"' };
    expect(await client.get({ url: `${origin}/old`, known }, never)).toEqual({
      type: 'not-modified',
      url: `${origin}/page`,
      redirects: [`${origin}/old`, `${origin}/older`],
      validators: { url: `${origin}/page`, etag: '"1"', lastModified: 'Thu, 01 Jan 2026' },
      fetchedAt: now,
    });
    const byDate = { url: `${origin}/page`, lastModified: 'Thu, 01 Jan 2026' };
    expect(await client.get({ url: `${origin}/page`, known: byDate }, never)).toMatchObject({
      type: 'not-modified',
    });
    for (const other of [{ ...known, etag: '"2"' }, { ...known, url: `${origin}/old` }, { url: known.url }]) {
      expect(await client.get({ url: `${origin}/page`, known: other }, never)).toMatchObject({
        type: 'page',
      });
    }
  });

  it(`${name}: what cannot be had is a Fault`, async () => {
    const { client, origin } = await open(SITE);
    expect(await codeOf(client.get({ url: `${origin}/missing` }, never))).toBe('net/not-found');
    expect(await codeOf(client.get({ url: 'no address' }, never))).toBe('net/invalid-url');
    expect(await codeOf(client.get({ url: 'ftp://site.example/' }, never))).toBe('net/refused');
    expect(await codeOf(client.get({ url: `${origin}/page`, limits: { maxBytes: 6 } }, never))).toBe(
      'net/too-large',
    );
  });

  it(`${name}: an aborted signal throws its reason`, async () => {
    const { client, origin } = await open(SITE);
    const reason = new Fault('process/interrupted', 'Stopped.');
    await expect(client.get({ url: `${origin}/page` }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}
