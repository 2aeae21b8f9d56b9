import tls from 'node:tls';
import { expect, it } from 'vitest';
import { selfSigned } from '../../../test/web/certificate.ts';
import { faultOf, type Internet, playground } from '../../../test/web/playground.ts';
import { serve, serveBytes } from '../../../test/web/servers.ts';

const A = '93.184.216.34';
const good = selfSigned(['site.example', A]);
const old = selfSigned(['site.example'], { expired: true });

const secure = (port: number, more: Internet = {}) =>
  playground({
    names: { 'site.example': [A], 'other.example': [A] },
    machines: { [A]: port },
    authorities: good.cert,
    ...more,
  });

it('checks the certificate against the name and sends the name, though it connects to an address', async () => {
  const asked: string[] = [];
  const { port } = await serve((_request, response) => response.end('secret'), {
    certificate: {
      ...good,
      SNICallback: (name: string, done: (error: null, context: tls.SecureContext) => void) => {
        asked.push(name);
        done(null, tls.createSecureContext(good));
      },
    } as typeof good,
  });
  const { page, connected } = secure(port);
  expect(Buffer.from((await page('https://SITE.example./')).body).toString()).toBe('secret');
  expect(asked).toEqual(['site.example', 'site.example']);
  expect(connected).toEqual([A, A]);
});

it('checks an address in the address bar against the addresses of the certificate', async () => {
  const { port } = await serve((_request, response) => response.end('secret'), { certificate: good });
  expect((await secure(port).page(`https://${A}/`)).body).toHaveLength(6);
  const nameless = selfSigned(['site.example']);
  const { port: other } = await serve((_request, response) => response.end(), { certificate: nameless });
  expect(await faultOf(secure(other, { authorities: nameless.cert }).get(`https://${A}/`))).toEqual({
    code: 'net/tls',
    message: `https://${A} is not trusted: its certificate is for another name.`,
  });
});

it.each([
  ['another name', 'https://other.example/', good, good.cert, 'its certificate is for another name.'],
  [
    'nobody known',
    'https://site.example/',
    selfSigned(['site.example']),
    good.cert,
    'it signed its certificate itself.',
  ],
  ['yesterday', 'https://site.example/', old, old.cert, 'its certificate has expired.'],
])('does not trust a certificate of %s', async (_name, url, certificate, authorities, text) => {
  const server = await serve((_request, response) => response.end(), { certificate });
  const fault = await faultOf(secure(server.port, { authorities }).get(url));
  expect(fault).toEqual({ code: 'net/tls', message: `${new URL(url).origin} is not trusted: ${text}` });
  expect(server.requests).toEqual([]);
});

it('says so when there is no TLS behind the port', async () => {
  const { port } = await serveBytes((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect((await faultOf(secure(port).get('https://site.example/'))).code).toBe('net/tls');
  const closing = await serveBytes((socket) => socket.destroy());
  expect((await faultOf(secure(closing.port).get('https://site.example/'))).code).toBe('net/tls');
});

it('stops waiting for a handshake that never comes', async () => {
  const { port } = await serveBytes(() => {});
  const { get } = secure(port, { limits: { timeoutMs: 50 } });
  expect((await faultOf(get('https://site.example/'))).code).toBe('net/timeout');
});

it('follows a redirect from http to https, and not back', async () => {
  const open = await serve((request, response) => {
    if (request.url === '/up') response.writeHead(301, { location: 'https://site.example/' }).end();
    else response.end('open');
  });
  const closed = await serve(
    (request, response) => {
      if (request.url === '/down') response.writeHead(301, { location: 'http://plain.example/' }).end();
      else response.end('closed');
    },
    { certificate: good },
  );
  const B = '1.1.1.1';
  const web: Internet = {
    names: { 'site.example': [A], 'plain.example': [B] },
    machines: { [A]: closed.port, [B]: open.port },
  };
  expect((await secure(0, web).page('http://plain.example/up')).url).toBe('https://site.example/');
  expect(await faultOf(secure(0, web).get('https://site.example/down'))).toEqual({
    code: 'net/refused',
    message:
      'https://site.example redirects to http://plain.example, from an encrypted address to an unencrypted one.',
  });
  const trusting = secure(0, { ...web, allow: ['plain.example'] });
  expect((await trusting.page('https://site.example/down')).url).toBe('http://plain.example/');
});
