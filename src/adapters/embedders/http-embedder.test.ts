import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { prefixFor } from './http-embedder.ts';
import { ollamaEmbedder } from './ollama.ts';
import { openEmbedder } from './open-embedder.ts';
import { openAiCompatibleEmbedder } from './openai-compatible.ts';

interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model?: string; readonly input?: readonly string[] };
}

type Answer = (request: Received, response: ServerResponse) => unknown;

/** A real server on this machine that answers each request with what `answer` makes of it. */
async function serving(answer: Answer): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (message: IncomingMessage, response) => {
    let text = '';
    for await (const part of message) text += part;
    const request = {
      path: message.url,
      authorization: message.headers.authorization,
      body: text === '' ? {} : JSON.parse(text),
    };
    received.push(request);
    const answered = answer(request, response);
    if (!response.writableEnded)
      response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** As Ollama answers: vectors that point along the length of each text. */
const ollama: Answer = ({ path, body }) => {
  if (path === '/api/tags') return { models: [{ name: 'tiny:latest', digest: '0123456789abcdef' }] };
  return { model: body.model, embeddings: body.input?.map((text) => [text.length, 0, 0, 0]) };
};

const waits: number[] = [];
const noWait = async (milliseconds: number) => waits.push(milliseconds);

it('embeds with Ollama, in batches, and knows which model that was', async () => {
  const { url, received } = await serving(ollama);
  const embedder = ollamaEmbedder('tiny', `${url}/`);
  expect(await embedder.identity()).toEqual({
    name: 'ollama/tiny',
    fingerprint: 'ollama/tiny 4 0123456789ab',
    dimension: 4,
    batchSize: 32,
  });
  const texts = Array.from({ length: 40 }, (_, at) => (at === 7 ? ' ... ' : `text ${at}`));
  const vectors = await embedder.embed(texts, 'text');
  expect(vectors).toHaveLength(40);
  expect(vectors[7]).toBeUndefined();
  expect(vectors[0]).toEqual(Float32Array.of(1, 0, 0, 0));
  expect(received.map(({ path, body }) => [path, body.input?.length])).toEqual([
    ['/api/tags', undefined],
    ['/api/embed', 1],
    ['/api/embed', 32],
    ['/api/embed', 7],
  ]);
});

it('speaks to servers that are compatible with OpenAI, in whatever order they answer', async () => {
  const { url, received } = await serving(({ body }) => ({
    data: body.input?.map((text, index) => ({ index, embedding: [0, text.length, 1] })).reverse(),
  }));
  const embedder = openAiCompatibleEmbedder({ model: 'm', baseUrl: `${url}/v1`, apiKey: 'secret' });
  const [one, two] = await embedder.embed(['a', 'abc'], 'question');
  expect([one?.[1], two?.[1]]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(3 / Math.sqrt(10))]);
  expect(
    received.every(
      ({ path, authorization }) => path === '/v1/embeddings' && authorization === 'Bearer secret',
    ),
  ).toBe(true);
});

it('tells a model the side of the search where it wants to know', async () => {
  const { url, received } = await serving(ollama);
  const embedder = ollamaEmbedder('nomic-embed-text', url);
  await embedder.embed(['a'], 'question');
  await embedder.embed(['b'], 'text');
  expect(received.slice(2).map(({ body }) => body.input)).toEqual([
    ['search_query: a'],
    ['search_document: b'],
  ]);
  expect(prefixFor('intfloat/e5-small', 'text')).toBe('passage: ');
  expect(prefixFor('all-minilm', 'question')).toBe('');
});

it('waits for a server that is busy, and not for ever', async () => {
  let requests = 0;
  const { url } = await serving((request, response) => {
    requests += 1;
    if (requests < 3) response.writeHead(503);
    return ollama(request, response);
  });
  waits.length = 0;
  expect((await ollamaEmbedder('tiny', url, noWait).identity()).dimension).toBe(4);
  expect(waits).toEqual([500, 2000]);
  const always = await serving((_, response) => {
    response.writeHead(429);
    return 'slow down';
  });
  await expect(ollamaEmbedder('tiny', always.url, noWait).identity()).rejects.toMatchObject({
    code: 'embedder/failed',
    message: 'The embedder ollama/tiny refused with status 429: slow down',
  });
});

it.each<[string, Answer, string]>([
  ['no JSON', () => '<html>', 'did not answer with JSON.'],
  ['too few', () => ({ embeddings: [] }), 'answered with not 1 vectors.'],
  ['another shape', () => ({ vectors: [[1]] }), 'answered with not 1 vectors.'],
  ['words', () => ({ embeddings: [['a']] }), 'answered with something that is not a vector.'],
  ['null', () => 'null', 'answered with not 1 vectors.'],
  ['nothing', () => ({ embeddings: [[0, 0]] }), 'answered with a vector without a direction.'],
])('says so when the answer has %s in it', async (_, answer, message) => {
  const { url } = await serving((request, response) =>
    request.path === '/api/tags' ? ollama(request, response) : answer(request, response),
  );
  await expect(ollamaEmbedder('tiny', url).identity()).rejects.toMatchObject({
    code: 'embedder/failed',
    message: `The embedder ollama/tiny ${message}`,
  });
});

it('takes no vectors of another length than before', async () => {
  let length = 2;
  const { url } = await serving(({ path, body }) => {
    if (path === '/api/tags') return {};
    return { embeddings: body.input?.map(() => new Array(length).fill(1)) };
  });
  const embedder = ollamaEmbedder('tiny', url);
  await embedder.identity();
  length = 3;
  await expect(embedder.embed(['a'], 'text')).rejects.toMatchObject({ code: 'embedder/failed' });
});

it('sends nothing on when it is redirected', async () => {
  const elsewhere = await serving(ollama);
  const { url } = await serving((_, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/api/embed` });
    return '';
  });
  await expect(ollamaEmbedder('tiny', url).identity()).rejects.toMatchObject({
    code: 'embedder/unreachable',
  });
  expect(elsewhere.received).toEqual([]);
});

it('finds a server again that was away', async () => {
  let isAway = true;
  const { url } = await serving((request, response) => {
    if (isAway) response.socket?.destroy();
    return ollama(request, response);
  });
  const embedder = ollamaEmbedder('tiny', url);
  await expect(embedder.identity()).rejects.toMatchObject({
    code: 'embedder/unreachable',
    message: `The embedder ollama/tiny does not answer at ${url}.`,
    hint: 'Start it, or set search.embedder to builtin.',
  });
  isAway = false;
  expect((await embedder.identity()).dimension).toBe(4);
});

it.each([
  ['builtni', 'There is no embedder "builtni".', 'Did you mean builtin?'],
  ['ollama', 'There is no embedder "ollama".', 'Say which model: ollama/….'],
  ['', 'There is no embedder "".', 'There are builtin, ollama/…, openai/… and transformers/….'],
])('knows no embedder %j', async (name, message, hint) => {
  const opening = openEmbedder({ name, url: undefined, apiKey: undefined });
  await expect(opening).rejects.toMatchObject({ code: 'embedder/unknown', message, hint });
});

it('opens each kind by its name', async () => {
  const { url, received } = await serving(ollama);
  expect((await (await openEmbedder({ name: 'builtin', url, apiKey: undefined })).identity()).name).toBe(
    'builtin',
  );
  const named = await openEmbedder({ name: 'ollama/library/tiny', url, apiKey: undefined });
  expect((await named.identity()).name).toBe('ollama/library/tiny');
  expect(received[1]?.body.model).toBe('library/tiny');
  await expect(
    openEmbedder({ name: 'openai/m', url: 'file:///etc', apiKey: undefined }),
  ).rejects.toMatchObject({
    message: 'search.embedder_url is not an address: "file:///etc".',
  });
});
