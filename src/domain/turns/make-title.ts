import { singleLine } from '../../base/terminal-text.ts';
import type { Model } from './model/model.ts';

const REQUEST =
  'Name this exchange in at most six words, as a title. Answer with the title alone, no quotes, no full stop.';
const LONGEST = 80;

/** Undefined when the model gave none: a missing title is not worth failing for. */
export async function makeTitle(
  model: Model,
  exchange: { readonly question: string; readonly answer: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const messages = [
    { role: 'user' as const, text: exchange.question },
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: exchange.answer }] },
    { role: 'user' as const, text: REQUEST },
  ];
  let text = '';
  try {
    for await (const event of model.stream(
      { system: '', messages, tools: [], maxOutputTokens: 64 },
      signal,
    )) {
      if (event.type === 'text-delta') text += event.text;
    }
  } catch {
    return undefined;
  }
  const [line = ''] = text.trim().split('\n');
  const title = singleLine(line)
    .replace(/^["'“]+|["'”.]+$/g, '')
    .trim();
  return title === '' || title.length > LONGEST ? undefined : title;
}
