/** Replies of a model, as an OpenAI-compatible server streams them. */

import type { Answer } from '../recorded/replay-server.ts';

interface Called {
  readonly name: string;
  readonly arguments: unknown;
}

export function saying(text: string): Answer {
  return { body: sse({ content: text }, 'stop') };
}

/** A token each 50 ms, and what they cost at the end; `sent` is told the time of each. */
export function sayingSlowly(
  tokens: readonly string[],
  sent: (token: string, at: number) => void = () => {},
): Answer {
  const chunks = [
    ...tokens.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    {
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1234, completion_tokens: tokens.length, total_tokens: 1234 + tokens.length },
    },
  ];
  const body = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
  let at = 0;
  return { body, pace: { everyMs: 50, sent: () => sent(tokens[at++] ?? '', performance.now()) } };
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
