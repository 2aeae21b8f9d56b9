/** Replies of a model, as an OpenAI-compatible server streams them. */

import type { Answer } from '../recorded/replay-server.ts';

interface Called {
  readonly name: string;
  readonly arguments: unknown;
}

export function saying(text: string): Answer {
  return { body: sse({ content: text }, 'stop') };
}

/** All in one reply; their ids are `call_1`, `call_2`, … unless told otherwise. */
export function calling(calls: readonly Called[], idOf = (at: number) => `call_${at + 1}`): Answer {
  const toolCalls = calls.map(({ name, arguments: given }, index) => ({
    index,
    id: idOf(index),
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { body: sse({ tool_calls: toolCalls }, 'tool_calls') };
}

function sse(delta: object, finish: string): string {
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}
