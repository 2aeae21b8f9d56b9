/** Transcripts of Claude Code: a line for each message, tool results inside those of the user. */

import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import type { Finish } from '../event.ts';
import { countOf, EventGatherer, figures, textOf } from './event-gatherer.ts';
import type { ImportLine } from './import-lines.ts';
import type { ImportedConversation } from './imported-conversation.ts';

export function isClaudeCode({ value }: ImportLine): boolean {
  const type = textOf(value, 'type');
  if (type === 'summary') return textOf(value, 'leafUuid') !== '';
  return textOf(value, 'sessionId') !== '' || (isMessage(value) && textOf(value, 'uuid') !== '');
}

export function fromClaudeCode(
  lines: readonly ImportLine[],
  { fallbackId, now }: { fallbackId: string; now: number },
): ImportedConversation {
  const reader = new ClaudeCodeReader(lines.some(({ value }) => isMessage(value) && !isSidechain(value)));
  for (const line of lines) reader.read(line);
  return reader.finish(fallbackId, now);
}

function isMessage(value: JsonObject | undefined): value is JsonObject {
  const type = textOf(value, 'type');
  return (type === 'user' || type === 'assistant') && isJsonObject(memberOf(value, 'message'));
}

function isSidechain(value: JsonObject): boolean {
  return memberOf(value, 'isSidechain') === true;
}

class ClaudeCodeReader {
  readonly #gatherer = new EventGatherer('claude-code');
  readonly #hasMainLine: boolean;
  readonly #titles: Partial<Record<'custom-title' | 'ai-title' | 'summary', string>> = {};
  #id = '';
  #pending: { id: string; model: string; usage: JsonObject } | undefined;

  /** Leaves out side conversations, unless there is nothing else. */
  constructor(hasMainLine: boolean) {
    this.#hasMainLine = hasMainLine;
  }

  read({ value, text }: ImportLine): void {
    if (!value) {
      this.#gatherer.keep(text);
      return;
    }
    this.#gatherer.at(memberOf(value, 'timestamp'));
    this.#id ||= textOf(value, 'agentId') || textOf(value, 'sessionId');
    if (this.#readTitle(value)) return;
    const isAside = memberOf(value, 'isMeta') === true || (this.#hasMainLine && isSidechain(value));
    if (!isMessage(value) || isAside) {
      this.#gatherer.keep(value);
      return;
    }
    const message = memberOf(value, 'message');
    if (textOf(value, 'type') === 'user') this.#readUser(message);
    else this.#readAssistant(message);
  }

  finish(fallbackId: string, now: number): ImportedConversation {
    this.#settleUsage();
    const title = this.#titles['custom-title'] ?? this.#titles['ai-title'] ?? this.#titles.summary;
    return this.#gatherer.finish(this.#id || fallbackId, title, now);
  }

  #readTitle(value: JsonObject): boolean {
    const type = textOf(value, 'type');
    if (type !== 'summary' && type !== 'custom-title' && type !== 'ai-title') return false;
    const title = textOf(value, 'summary') || textOf(value, 'customTitle') || textOf(value, 'aiTitle');
    if (title !== '') this.#titles[type] = title;
    return title !== '';
  }

  #readUser(message: Json | undefined): void {
    const texts: string[] = [];
    for (const block of blocksOf(message)) {
      const type = textOf(block, 'type');
      if (type === 'text') texts.push(textOf(block, 'text'));
      else if (type === 'tool_result') {
        const isError = memberOf(block, 'is_error') === true;
        this.#gatherer.result(textOf(block, 'tool_use_id'), contentText(memberOf(block, 'content')), isError);
      } else this.#gatherer.keep(block);
    }
    this.#gatherer.user(texts.join('\n\n'));
  }

  #readAssistant(message: Json | undefined): void {
    const model = `anthropic/${textOf(message, 'model') || 'unknown'}`;
    const finish = FINISHES[textOf(message, 'stop_reason')] ?? 'stop';
    this.#recordUsage(message, model);
    for (const block of blocksOf(message)) {
      const type = textOf(block, 'type');
      if (type === 'text') this.#gatherer.assistant(textOf(block, 'text'), model, finish);
      else if (type === 'thinking') this.#gatherer.reasoning(textOf(block, 'thinking'));
      else if (type === 'tool_use') {
        this.#gatherer.call(textOf(block, 'id'), textOf(block, 'name'), memberOf(block, 'input') ?? {});
      } else this.#gatherer.keep(block);
    }
  }

  /** An answer may span several lines, each with the usage so far: the last one counts. */
  #recordUsage(message: Json | undefined, model: string): void {
    const id = textOf(message, 'id');
    if (this.#pending && this.#pending.id !== id) this.#settleUsage();
    const usage = memberOf(message, 'usage');
    if (isJsonObject(usage)) this.#pending = { id, model, usage };
  }

  #settleUsage(): void {
    if (!this.#pending) return;
    const { model, usage } = this.#pending;
    this.#pending = undefined;
    const cached = countOf(usage, 'cache_read_input_tokens');
    const parts = [countOf(usage, 'input_tokens'), cached, countOf(usage, 'cache_creation_input_tokens')];
    const input = parts.filter((part) => part !== undefined);
    const told = figures({
      input_tokens: input.length > 0 ? input.reduce((sum, part) => sum + part) : undefined,
      output_tokens: countOf(usage, 'output_tokens'),
      cached_tokens: cached,
    });
    this.#gatherer.usage({ model, ...told });
  }
}

const FINISHES: Readonly<Record<string, Finish | undefined>> = {
  tool_use: 'tool-calls',
  max_tokens: 'length',
  refusal: 'refused',
};

function blocksOf(message: Json | undefined): readonly Json[] {
  const content = memberOf(message, 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isJsonList(content) ? content : [];
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!isJsonList(content)) return '';
  return content
    .map((block) => textOf(block, 'text') || `[${textOf(block, 'type') || 'unknown'}]`)
    .join('\n');
}
