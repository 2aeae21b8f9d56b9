/** Rollouts of Codex: `{timestamp, type, payload}` a line; older ones have the payloads bare. */

import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import { countOf, EventGatherer, figures, textOf } from './event-gatherer.ts';
import type { ImportLine } from './import-lines.ts';
import type { ImportedConversation } from './imported-conversation.ts';

const ENVELOPES = ['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'];

export function isCodex({ value }: ImportLine): boolean {
  if (!value) return false;
  if (ENVELOPES.includes(textOf(value, 'type'))) return isJsonObject(memberOf(value, 'payload'));
  return isBareMeta(value) || isBareItem(value);
}

export function fromCodex(
  lines: readonly ImportLine[],
  { fallbackId, now }: { fallbackId: string; now: number },
): ImportedConversation {
  const reader = new CodexReader();
  for (const line of lines) reader.read(line);
  return reader.finish(fallbackId, now);
}

/** The first line of an older rollout. */
function isBareMeta(value: JsonObject): boolean {
  return (
    memberOf(value, 'type') === undefined && textOf(value, 'id') !== '' && textOf(value, 'timestamp') !== ''
  );
}

function isBareItem(value: JsonObject): boolean {
  const type = textOf(value, 'type');
  if (type === 'message') return isJsonList(memberOf(value, 'content')) && textOf(value, 'role') !== '';
  return (type === 'function_call' || type === 'function_call_output') && textOf(value, 'call_id') !== '';
}

class CodexReader {
  readonly #gatherer = new EventGatherer('codex');
  #id = '';
  #provider = 'openai';
  #model = 'unknown';

  read({ value, text }: ImportLine): void {
    if (!value) {
      this.#gatherer.keep(text);
      return;
    }
    this.#gatherer.at(memberOf(value, 'timestamp'));
    const wrapped = memberOf(value, 'payload');
    const payload = isJsonObject(wrapped) ? wrapped : value;
    const type = payload === value && isBareItem(value) ? 'response_item' : textOf(value, 'type');
    if (type === 'session_meta' || isBareMeta(value)) this.#readMeta(payload);
    else if (type === 'turn_context') this.#model = textOf(payload, 'model') || this.#model;
    if (type === 'response_item' && this.#readItem(payload)) return;
    if (type === 'event_msg' && this.#readUsage(payload)) return;
    this.#gatherer.keep(value);
  }

  finish(fallbackId: string, now: number): ImportedConversation {
    return this.#gatherer.finish(this.#id || fallbackId, undefined, now);
  }

  #readMeta(payload: JsonObject): void {
    this.#id ||= textOf(payload, 'id');
    this.#provider = textOf(payload, 'model_provider') || this.#provider;
    this.#gatherer.at(memberOf(payload, 'timestamp'));
  }

  /** Returns false for an item that is not understood. */
  #readItem(item: JsonObject): boolean {
    switch (textOf(item, 'type')) {
      case 'message':
        return this.#readMessage(item);
      case 'reasoning': {
        const text = textsIn(memberOf(item, 'summary')) || textsIn(memberOf(item, 'content'));
        this.#gatherer.reasoning(text);
        return text !== '';
      }
      case 'function_call': {
        const given = textOf(item, 'arguments');
        this.#gatherer.call(textOf(item, 'call_id'), textOf(item, 'name'), parseJson(given) ?? given);
        return true;
      }
      case 'custom_tool_call':
        this.#gatherer.call(textOf(item, 'call_id'), textOf(item, 'name'), memberOf(item, 'input') ?? '');
        return true;
      case 'local_shell_call':
        this.#gatherer.call(textOf(item, 'call_id'), 'shell', memberOf(item, 'action') ?? {});
        return true;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#readOutput(item);
        return true;
      default:
        return false;
    }
  }

  #readMessage(item: JsonObject): boolean {
    const text = textsIn(memberOf(item, 'content'));
    const role = textOf(item, 'role');
    if (role === 'assistant') this.#gatherer.assistant(text, `${this.#provider}/${this.#model}`);
    else if (role === 'user' && !ADDED_BY_CODEX.test(text)) this.#gatherer.user(text);
    else return false;
    return text.trim() !== '';
  }

  #readOutput(item: JsonObject): void {
    const output = memberOf(item, 'output');
    const isError = memberOf(output, 'success') === false;
    const plain = typeof output === 'string' ? (parseJson(output) ?? output) : output;
    const text =
      textOf(plain, 'output') ||
      textOf(plain, 'content') ||
      textsIn(plain) ||
      (typeof output === 'string' ? output : '');
    this.#gatherer.result(textOf(item, 'call_id'), text, isError);
  }

  #readUsage(event: JsonObject): boolean {
    const used = memberOf(memberOf(event, 'info'), 'last_token_usage');
    if (textOf(event, 'type') !== 'token_count' || !isJsonObject(used)) return false;
    const told = figures({
      input_tokens: countOf(used, 'input_tokens'),
      output_tokens: countOf(used, 'output_tokens'),
      cached_tokens: countOf(used, 'cached_input_tokens'),
      reasoning_tokens: countOf(used, 'reasoning_output_tokens'),
    });
    this.#gatherer.usage({ model: `${this.#provider}/${this.#model}`, ...told });
    return true;
  }
}

/** Text that Codex puts before the first question by itself. */
const ADDED_BY_CODEX =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted)\b|# AGENTS\.md instructions)/;

function textsIn(blocks: Json | undefined): string {
  if (!isJsonList(blocks)) return '';
  return blocks
    .map((block) => textOf(block, 'text'))
    .filter((text) => text !== '')
    .join('\n\n');
}
