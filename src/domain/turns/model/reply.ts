import type { ConversationEvent, Finish } from '../../conversations/event.ts';
import type { ModelEvent, ModelToolCall, TokenUsage } from './model.ts';

export interface Reply {
  readonly text: string;
  readonly finish: Finish;
  readonly calls: readonly ModelToolCall[];
  /** In the order of the log: reasoning, message, calls, usage. */
  readonly events: readonly ConversationEvent[];
}

export class ReplyParts {
  #text = '';
  #reasoning = '';
  #usage: TokenUsage | undefined;
  #finish: { finish: Finish; provider?: Extract<ModelEvent, { type: 'finish' }>['provider'] } | undefined;
  readonly #reasonings: ConversationEvent[] = [];
  readonly #calls: ModelToolCall[] = [];
  readonly #model: string;
  readonly #at: () => string;
  readonly #takenIds: ReadonlySet<string>;

  /** `takenIds` are the ids of earlier calls. */
  constructor(model: string, at: () => string, takenIds: ReadonlySet<string>) {
    this.#model = model;
    this.#at = at;
    this.#takenIds = takenIds;
  }

  /** Whether anything came that was shown or costs something. */
  get isEmpty(): boolean {
    const hasThought = this.#reasoning !== '' || this.#reasonings.length > 0;
    return this.#text === '' && this.#calls.length === 0 && !hasThought && !this.#usage;
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.#text += event.text;
        break;
      case 'reasoning-delta':
        this.#reasoning += event.text;
        break;
      case 'reasoning-end':
        this.#endReasoning(event.provider);
        break;
      case 'tool-call':
        this.#calls.push({ ...event.call, id: this.#unusedId(event.call.id) });
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'finish':
        this.#finish = event;
    }
  }

  /** Some servers number calls from the beginning in every reply; in the log an id is unique. */
  #unusedId(id: string): string {
    const isTaken = (each: string) =>
      this.#takenIds.has(each) || this.#calls.some((call) => call.id === each);
    for (let number = 2, unused = id; ; number++) {
      if (!isTaken(unused)) return unused;
      unused = `${id}-${number}`;
    }
  }

  /** `forced` is the finish of a stream that did not report one. Calls of a broken reply are never run. */
  finish(forced?: Finish): Reply {
    if (this.#reasoning !== '') this.#endReasoning(undefined);
    const finish = forced ?? this.#finish?.finish ?? 'truncated';
    const isWhole = finish === 'stop' || finish === 'tool-calls';
    const calls = isWhole ? this.#calls : [];
    return { text: this.#text, finish, calls, events: this.#events(finish, calls) };
  }

  #endReasoning(provider: Extract<ModelEvent, { type: 'reasoning-end' }>['provider']): void {
    this.#reasonings.push({
      type: 'reasoning',
      at: this.#at(),
      text: this.#reasoning,
      ...(provider && { provider }),
    });
    this.#reasoning = '';
  }

  #events(finish: Finish, calls: readonly ModelToolCall[]): ConversationEvent[] {
    const at = this.#at();
    const provider = this.#finish?.provider;
    return [
      ...this.#reasonings,
      {
        type: 'assistant_message',
        at,
        text: this.#text,
        model: this.#model,
        finish,
        ...(provider && { provider }),
      },
      ...calls.map((call): ConversationEvent => ({ type: 'tool_call', at, ...call })),
      ...(this.#usage ? [{ type: 'usage' as const, at, model: this.#model, ...this.#usage }] : []),
    ];
  }
}
