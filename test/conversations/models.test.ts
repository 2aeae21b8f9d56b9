import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { replayServer } from '../recorded/replay-server.ts';

/** Nothing listens on the port of the discard service. */
const NOWHERE = 'http://127.0.0.1:9';

it('lists what is configured, whose key is missing and what answers, outside of a workspace too', async () => {
  const list = await replayServer(() => ({ body: '{"data":[{"id":"small"},{"id":7},{"id":"large"}]}' }));
  const tags = await replayServer(() => ({ body: '{"models":[{"name":"qwen3:4b"}]}' }));
  const page = await replayServer(() => ({ body: '<html>' }));
  const strange = await replayServer(() => ({ body: '{"data":null,"models":{"name":"x"}}' }));
  const place = sandboxHere();
  mkdirSync(path.join(place.home, 'config'));
  const server = (name: string, url: string, more = '') =>
    `[providers.llm.${name}]\nkind = "openai-compatible"\nbase_url = "${url}"\n${more}\n`;
  const config = [
    'assistant.model = "lab/small"\n',
    server('lab', `${list.url}/v1/`),
    server('shut', `${list.url}/v1`, 'api_key_env = "LAB_KEY"'),
    server('page', page.url),
    server('strange', strange.url),
    server('gone', NOWHERE),
    `[providers.llm.ollama]\nbase_url = "${tags.url}"\n`,
  ];
  writeOwnConfig(place.home, config.join(''));
  const result = await place.ken(['models'], { environment: { ANTHROPIC_API_KEY: 'secret' } });
  const rows = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect({ ...result, stdout: rows }).toEqual({
    code: 0,
    stdout: [
      ['provider', 'state', 'remark', 'models'],
      ['ken', 'ready', 'quotes what ken knows; no language model', 'ken/extractive'],
      ['anthropic', 'ready', 'key in ANTHROPIC_API_KEY'],
      ['openai', 'no-key', 'OPENAI_API_KEY is not set'],
      ['google', 'no-key', 'GOOGLE_GENERATIVE_AI_API_KEY is not set'],
      ['ollama', 'ready', tags.url, 'ollama/qwen3:4b'],
      ['lab', 'ready', `${list.url}/v1`, 'lab/small lab/large'],
      ['shut', 'no-key', 'LAB_KEY is not set'],
      ['page', 'ready', page.url],
      ['strange', 'ready', strange.url],
      ['gone', 'unreachable', `nothing answers at ${NOWHERE}`],
    ],
    stderr: 'In use: lab/small\n',
  });
  expect([...list.requests, ...tags.requests].map((request) => request.path)).toEqual([
    '/v1/models',
    '/api/tags',
  ]);
});
