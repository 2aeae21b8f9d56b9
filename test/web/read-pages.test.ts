import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { htmlConverter } from '../../src/adapters/html/html-to-markdown.ts';
import { readPage } from '../../src/domain/web/read-page.ts';
import { playground } from './playground.ts';
import { serve } from './servers.ts';

const A = '93.184.216.34';

it('a page comes from the wire to Markdown, whatever its packing and encoding', async () => {
  const html = (text: string) =>
    `<title>t</title><nav><a href="/">Home</a></nav><main><h1>${text}</h1><p>See <a href="b">b</a>.</p></main>`;
  const latin1 = Buffer.from(html('Grüße'), 'latin1');
  const routes: Record<string, { type: string; body: Buffer; encoding?: string; location?: string }> = {
    '/gzip': { type: 'text/html; charset=utf-8', body: zlib.gzipSync(html('Grüße')), encoding: 'gzip' },
    '/brotli': { type: 'text/html; charset=latin1', body: zlib.brotliCompressSync(latin1), encoding: 'br' },
    '/zstd': {
      type: 'text/html',
      body: zlib.zstdCompressSync(Buffer.concat([Buffer.from('<meta charset=latin1>'), latin1])),
      encoding: 'zstd',
    },
    '/bom': { type: 'text/html', body: Buffer.from(`\ufeff${html('Grüße')}`) },
    '/guess': { type: 'text/html', body: latin1 },
    '/moved': { type: 'text/html', body: Buffer.alloc(0), location: '/gzip' },
  };
  const server = await serve((request, response) => {
    const route = routes[request.url ?? ''];
    if (!route) return response.writeHead(404).end();
    if (route.location) return response.writeHead(301, { location: route.location }).end();
    return response
      .writeHead(200, { 'content-type': route.type, 'content-encoding': route.encoding ?? 'identity' })
      .end(route.body);
  });
  const { page } = playground({ names: { 'site.example': [A] }, machines: { [A]: server.port } });
  for (const path of Object.keys(routes)) {
    const { title, text } = await readPage({ html: htmlConverter }, await page(`http://site.example${path}`));
    expect({ path, title, text }).toEqual({
      path,
      title: 'Grüße',
      text: '# Grüße\n\nSee [b](http://site.example/b).\n',
    });
  }
});
