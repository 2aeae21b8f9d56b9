import zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultOf, type Playground, playground } from '../../../test/web/playground.ts';
import { serve } from '../../../test/web/servers.ts';

const A = '93.184.216.34';
const MEBIBYTE = 1024 * 1024;

async function siteOf(body: Uint8Array, encoding: string): Promise<Playground> {
  const { port } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  return playground({
    names: { 'site.example': [A] },
    machines: { [A]: port },
    limits: { maxBytes: MEBIBYTE },
  });
}

const PACKERS: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: zlib.gzipSync,
  'X-GZip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  'deflate ': zlib.deflateRawSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
  'gzip, br': (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes)),
  'identity, gzip': zlib.gzipSync,
  identity: Buffer.from,
};
const packers = Object.entries(PACKERS);

it.each(packers)('unpacks %j', async (encoding, pack) => {
  const text = Buffer.from('knowledge '.repeat(10_000));
  const packed = pack(text);
  const page = await (await siteOf(packed, encoding)).page('http://site.example/');
  expect(Buffer.from(page.body).equals(text)).toBe(true);
  expect(page.wireBytes).toBe(packed.length);
});

it.each(packers.filter(([encoding]) => encoding !== 'identity'))(
  'a %j bomb ends early',
  async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * MEBIBYTE));
    expect(bomb.length).toBeLessThan(MEBIBYTE);
    const { get } = await siteOf(bomb, encoding);
    expect(await faultOf(get('http://site.example/'))).toEqual({
      code: 'net/too-large',
      message: `http://site.example/ is larger than ${MEBIBYTE} bytes.`,
    });
  },
);

it('a bomb whose inner layer unfolds to nothing ends early too', async () => {
  const nothing = zlib.gzipSync('');
  const outer = zlib.gzipSync(Buffer.concat(Array<Buffer>(400_000).fill(nothing)));
  expect(outer.length).toBeLessThan(MEBIBYTE);
  const { get } = await siteOf(outer, 'gzip, gzip');
  expect((await faultOf(get('http://site.example/'))).code).toBe('net/too-large');
});

it('a window larger than the web allows is refused', async () => {
  // A frame header that asks for 128 MiB, then one empty block; with 8 MiB it is a valid empty frame.
  const asking = (windowLog: number) =>
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 1, 0, 0]);
  expect((await (await siteOf(asking(23), 'zstd')).page('http://site.example/')).body).toHaveLength(0);
  const frame = asking(27);
  const { get } = await siteOf(frame, 'zstd');
  expect((await faultOf(get('http://site.example/'))).code).toBe('net/protocol');
});

it.each(packers.filter(([encoding]) => encoding !== 'identity'))(
  'a %j stream that stops in the middle is an error',
  async (encoding, pack) => {
    const packed = pack(Buffer.from('knowledge '.repeat(100)));
    const { get } = await siteOf(packed.subarray(0, packed.length - 6), encoding);
    expect(await faultOf(get('http://site.example/'))).toEqual({
      code: 'net/protocol',
      message: 'http://site.example/ came damaged: its content cannot be unpacked or read.',
    });
  },
);

it.each([
  ['snappy', 'has a compression that ken does not accept.'],
  ['constructor', 'has a compression that ken does not accept.'],
  ['gzip, gzip, gzip', 'is packed 3 times over; ken unpacks 2.'],
])('%j is not unpacked', async (encoding, text) => {
  const { get } = await siteOf(Buffer.from('x'), encoding);
  expect(await faultOf(get('http://site.example/'))).toEqual({
    code: 'net/protocol',
    message: `http://site.example/ ${text}`,
  });
});

it('an empty body needs no unpacking', async () => {
  const page = await (await siteOf(Buffer.alloc(0), 'gzip')).page('http://site.example/');
  expect(page.body).toHaveLength(0);
});

it('neither hangs nor breaks on any bytes in any packing', async () => {
  let body: Uint8Array = Buffer.alloc(0);
  let encoding = '';
  const { port } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  const { get } = playground({ names: { 'site.example': [A] }, machines: { [A]: port } });
  const codes = fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'br, gzip');
  await fc.assert(
    fc.asyncProperty(codes, fc.uint8Array({ maxLength: 200 }), async (code, bytes) => {
      body = bytes;
      encoding = code;
      const outcome = await get('http://site.example/').then(
        () => 'page',
        (error) => error.code,
      );
      expect(['page', 'net/protocol', 'net/too-large']).toContain(outcome);
    }),
    { numRuns: 150 },
  );
});
