/** Turns a transcript into events, in its order. Keeps what it does not understand beside them. */

import { type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { isoTime, parseIsoTime } from '../../../base/time.ts';
import { failure, success } from '../../tools/tool.ts';
import { givenTitle, titleFrom } from '../conversation.ts';
import type { AssistantMessage, ConversationEvent, Usage } from '../event.ts';
import type { ImportedConversation, ImportSource } from './imported-conversation.ts';

export class EventGatherer {
  readonly #events: ConversationEvent[] = [];
  readonly #toolNames = new Map<string, string>();
  readonly #source: ImportSource;
  #turn = 0;
  #now: number | undefined;
  #first: number | undefined;
  #firstQuestion: string | undefined;

  constructor(source: ImportSource) {
    this.#source = source;
  }

  /** Time of the events that follow: ISO-8601 or milliseconds. Ignores other values. */
  at(time: Json | undefined): void {
    const given = typeof time === 'string' ? parseIsoTime(time) : typeof time === 'number' ? time : undefined;
    if (given === undefined || !(given >= 0 && given < LATEST)) return;
    this.#now = given;
    this.#first = Math.min(this.#first ?? given, given);
  }

  /** Begins a turn. */
  user(text: string): void {
    if (text.trim() === '') return;
    this.#turn += 1;
    if (!text.startsWith('<')) this.#firstQuestion ??= text;
    this.#add({ type: 'turn_start', turn: this.#turn }, { type: 'user_message', text });
  }

  assistant(text: string, model: string, finish: AssistantMessage['finish'] = 'stop'): void {
    if (text !== '') this.#add({ type: 'assistant_message', text, model, finish });
  }

  reasoning(text: string): void {
    if (text !== '') this.#add({ type: 'reasoning', text });
  }

  call(id: string, name: string, given: Json): void {
    this.#toolNames.set(id, name);
    this.#add({ type: 'tool_call', id, name, arguments: given });
  }

  result(id: string, text: string, isError: boolean): void {
    const outcome = isError ? failure(text) : success(text);
    this.#add({ type: 'tool_result', id, name: this.#toolNames.get(id) ?? 'unknown', outcome });
  }

  usage(used: Omit<Usage, 'type' | 'at'>): void {
    this.#add({ type: 'usage', ...used });
  }

  /** Wraps foreign data, so that it cannot pass for an event of ken. */
  keep(original: Json): void {
    this.#events.push({ type: 'foreign', content: { type: 'imported', from: this.#source, original } });
  }

  /** `fallback` is the time of a transcript that has none. */
  finish(sourceId: string, title: string | undefined, fallback: number): ImportedConversation {
    const createdAt = this.#first ?? fallback;
    const name = givenTitle(title) ?? titleFrom(this.#firstQuestion ?? '');
    const remark = {
      type: 'remark',
      at: isoTime(createdAt),
      kind: 'import',
      text: `Imported from ${this.#source}, where it is ${sourceId}.`,
    } as const;
    return {
      source: this.#source,
      sourceId,
      metadata: {
        ...(name !== undefined && { title: name }),
        createdAt,
        activeAt: this.#now ?? createdAt,
        labels: new Map([['imported', this.#source]]),
        others: { imported: { from: this.#source, id: sourceId } },
      },
      events: [remark, ...this.#events],
    };
  }

  #add(...events: readonly Untimed[]): void {
    const at = isoTime(this.#now ?? 0);
    for (const event of events) this.#events.push({ ...event, at } as ConversationEvent);
  }
}

/** The year 3084: later times do not fit into ids that sort by time. */
const LATEST = 32 ** 9;

type Untimed = ConversationEvent extends infer Each
  ? Each extends { at: string }
    ? Omit<Each, 'at'>
    : never
  : never;

/** The own text member, or an empty text. */
export function textOf(value: Json | undefined, name: string): string {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : '';
}

export function countOf(value: Json | undefined, name: string): number | undefined {
  const found = memberOf(value, name);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

/** Leaves out the figures that are undefined. */
export function figures(
  given: Omit<{ [Name in keyof Usage]?: number | undefined }, 'type' | 'at' | 'model'>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, number] => pair[1] !== undefined),
  );
}
