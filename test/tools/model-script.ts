import { type Answer, replayServer } from '../recorded/replay-server.ts';

const CHUNK = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' };

/** One answer of a model: what it says, or what it calls; the second half of it after something has happened. */
export type Said = string | { readonly call: string; readonly with: object; after?(): Promise<unknown> };

/** A model on loopback that says these in turn; its place in the operator's configuration, and what it was sent. */
export async function scriptedModel(...said: readonly Said[]) {
  const { url, requests } = await replayServer(said.map(answerOf));
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`;
  return {
    config: `assistant.model = "loop/m"\n${provider}\n`,
    sent: () => requests.map(({ body }) => JSON.parse(body)),
  };
}

function answerOf(said: Said): Answer {
  const body = stream(said);
  const until = typeof said === 'string' ? undefined : said.after;
  return until ? { body, pause: { at: Math.floor(body.length / 2), until } } : { body };
}

function stream(said: Said): string {
  const delta =
    typeof said === 'string'
      ? { content: said }
      : {
          tool_calls: [
            {
              index: 0,
              id: 'call-1',
              type: 'function',
              function: { name: said.call, arguments: JSON.stringify(said.with) },
            },
          ],
        };
  const reason = typeof said === 'string' ? 'stop' : 'tool_calls';
  const chunks = [
    { ...CHUNK, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
  ];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}
