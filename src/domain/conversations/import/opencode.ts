/** Reads the output of `opencode export`: one object with the messages and the parts of each. */

import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import type { Finish } from '../event.ts';
import { countOf, EventGatherer, figures, textOf } from './event-gatherer.ts';
import type { ImportedConversation } from './imported-conversation.ts';

export function isOpencode(value: Json | undefined): value is JsonObject {
  return isJsonObject(memberOf(value, 'info')) && isJsonList(memberOf(value, 'messages'));
}

export function fromOpencode(
  value: JsonObject,
  { fallbackId, now }: { fallbackId: string; now: number },
): ImportedConversation {
  const gatherer = new EventGatherer('opencode');
  const info = memberOf(value, 'info');
  gatherer.at(memberOf(memberOf(info, 'time'), 'created'));
  const messages = memberOf(value, 'messages');
  for (const message of isJsonList(messages) ? messages : []) readMessage(gatherer, message);
  gatherer.at(memberOf(memberOf(info, 'time'), 'updated'));
  return gatherer.finish(textOf(info, 'id') || fallbackId, textOf(info, 'title') || undefined, now);
}

function readMessage(gatherer: EventGatherer, message: Json): void {
  const info = memberOf(message, 'info');
  const parts = memberOf(message, 'parts');
  const role = textOf(info, 'role');
  if (!isJsonList(parts) || (role !== 'user' && role !== 'assistant')) {
    gatherer.keep(message);
    return;
  }
  gatherer.at(memberOf(memberOf(info, 'time'), 'created'));
  if (role === 'user') readUser(gatherer, parts);
  else readAssistant(gatherer, info, parts);
}

function readUser(gatherer: EventGatherer, parts: readonly Json[]): void {
  const isSaid = (part: Json) => textOf(part, 'type') === 'text' && memberOf(part, 'synthetic') !== true;
  const said = parts.filter(isSaid).map((part) => textOf(part, 'text'));
  gatherer.user(said.join('\n\n'));
  for (const part of parts) if (!isSaid(part)) gatherer.keep(part);
}

function readAssistant(gatherer: EventGatherer, info: Json | undefined, parts: readonly Json[]): void {
  const model = modelOf(info);
  const finish: Finish = isJsonObject(memberOf(info, 'error')) ? 'error' : 'stop';
  for (const part of parts) {
    const type = textOf(part, 'type');
    if (type === 'text') gatherer.assistant(textOf(part, 'text'), model, finish);
    else if (type === 'reasoning') gatherer.reasoning(textOf(part, 'text'));
    else if (type === 'tool') readTool(gatherer, part);
    else if (!MARKS.includes(type)) gatherer.keep(part);
  }
  gatherer.at(memberOf(memberOf(info, 'time'), 'completed'));
  const tokens = memberOf(info, 'tokens');
  if (!isJsonObject(tokens)) return;
  const cached = countOf(memberOf(tokens, 'cache'), 'read');
  const input = countOf(tokens, 'input');
  const told = figures({
    input_tokens: input === undefined ? undefined : input + (cached ?? 0),
    output_tokens: countOf(tokens, 'output'),
    cached_tokens: cached,
    reasoning_tokens: countOf(tokens, 'reasoning'),
    cost_usd: countOf(info, 'cost'),
  });
  gatherer.usage({ model, ...told });
}

/** Mark the begin and end of a step; the message itself has the usage. */
const MARKS = ['step-start', 'step-finish'];

function readTool(gatherer: EventGatherer, part: Json): void {
  const state = memberOf(part, 'state');
  const id = textOf(part, 'callID');
  const status = textOf(state, 'status');
  gatherer.call(id, textOf(part, 'tool'), memberOf(state, 'input') ?? {});
  if (status === 'completed') gatherer.result(id, textOf(state, 'output'), false);
  else if (status === 'error') gatherer.result(id, textOf(state, 'error'), true);
}

function modelOf(info: Json | undefined): string {
  const place = isJsonObject(memberOf(info, 'model')) ? memberOf(info, 'model') : info;
  return `${textOf(place, 'providerID') || 'unknown'}/${textOf(place, 'modelID') || 'unknown'}`;
}
