import { checksum } from '../../base/checksum.ts';
import { aboutDataFences, dataFence } from '../../base/data-fence.ts';
import type {
  AssistantMessage,
  ConversationEvent,
  Remark,
  ToolResultEvent,
  UserMessage,
} from '../conversations/event.ts';
import { fenced } from '../conversations/event-text.ts';
import { failure, type ToolOutcome } from '../tools/tool.ts';
import type { AssistantPart, ModelFile, ModelMessage, ToolAnswer } from './model/model.ts';

/**
 * Compacted turns become their summary. Every tool call has a result right after its reply; calls that a crash cut
 * short are marked as interrupted. Replies that broke off have no calls.
 */
export function historyMessages(events: readonly ConversationEvent[]): ModelMessage[] {
  const builder = new HistoryBuilder(answersIn(events));
  for (const event of withoutCompacted(events)) builder.add(event);
  return builder.finish();
}

function answersIn(events: readonly ConversationEvent[]): ReadonlyMap<string, ToolAnswer> {
  const answers = new Map<string, ToolAnswer>();
  for (const event of events) {
    if (event.type !== 'tool_result') continue;
    const isError = event.outcome.type !== 'success';
    answers.set(event.id, { id: event.id, name: event.name, text: outcomeText(event.outcome), isError });
  }
  return answers;
}

class HistoryBuilder {
  readonly #answers: ReadonlyMap<string, ToolAnswer>;
  readonly #messages: ModelMessage[] = [];
  #parts: AssistantPart[] = [];

  constructor(answers: ReadonlyMap<string, ToolAnswer>) {
    this.#answers = answers;
  }

  add(event: ConversationEvent): void {
    switch (event.type) {
      case 'user_message':
        this.#closeReply();
        this.#messages.push({ role: 'user', text: userText(event), ...filesIn(event) });
        break;
      case 'remark':
        // A broken attempt was repeated: only the last attempt counts.
        if (event.kind === 'retry') this.#parts = [];
        if (event.kind !== 'compaction' && event.kind !== 'correction') break;
        this.#closeReply();
        this.#messages.push({
          role: 'user',
          text: event.kind === 'correction' ? event.text : compactedText(event),
        });
        break;
      case 'reasoning':
        this.#parts.push({ type: 'reasoning', text: event.text, ...given(event) });
        break;
      case 'assistant_message':
        if (event.finish === 'error' || isThoughtAlone(event)) this.#parts = [];
        else if (event.text !== '') this.#parts.push({ type: 'text', text: event.text, ...given(event) });
        break;
      case 'tool_call':
        this.#parts.push({
          type: 'tool-call',
          id: event.id,
          name: event.name,
          arguments: event.arguments,
          ...given(event),
        });
        break;
      case 'tool_result':
      case 'turn_start':
        this.#closeReply();
    }
  }

  finish(): ModelMessage[] {
    this.#closeReply();
    return this.#messages;
  }

  /** Drops reasoning without an answer. */
  #closeReply(): void {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.every(({ type }) => type === 'reasoning')) return;
    this.#messages.push({ role: 'assistant', parts });
    const calls = parts.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) return;
    const results = calls.map(
      ({ id, name }): ToolAnswer => this.#answers.get(id) ?? { id, name, text: INTERRUPTED, isError: true },
    );
    this.#messages.push({ role: 'tool', results });
  }
}

/** Broke off before it said anything. */
function isThoughtAlone({ text, finish }: AssistantMessage): boolean {
  return text === '' && finish === 'truncated';
}

function given<Provider>({ provider }: { readonly provider?: Provider }) {
  return provider === undefined ? {} : { provider };
}

function userText({ at, text, attachments = [] }: UserMessage): string {
  const attached = attachments.map(({ source, text: content, file }) =>
    file
      ? `Attached ${JSON.stringify(source)} (${file.media}).`
      : `Attached ${JSON.stringify(source)}:\n\n${/^https?:/i.test(source) ? pageFence(at, source, content) : fenced(content)}`,
  );
  return [...attached, text].join('\n\n');
}

function filesIn({ attachments = [] }: UserMessage): { readonly files?: readonly ModelFile[] } {
  const files = attachments.flatMap(({ source, file }) => (file ? [{ name: source, ...file }] : []));
  return files.length > 0 ? { files } : {};
}

/** The id is the same in every request, and depends on a time that the author of the page cannot know. */
function pageFence(at: string, source: string, content: string): string {
  const id = checksum(`${at}\n${source}\n${content}`);
  return `${aboutDataFences(id)}\n${dataFence(id, content)}`;
}

function compactedText({ text, turns }: Remark): string {
  const which = turns ? `turns ${turns.from} to ${turns.to}` : 'earlier turns';
  return `Summary of ${which} of this conversation:\n\n${text}`;
}

/** Replaces turns by the last compaction that covers them; the log itself stays whole. */
function withoutCompacted(events: readonly ConversationEvent[]): readonly ConversationEvent[] {
  const compactions = events.filter(
    (event): event is Remark => event.type === 'remark' && event.kind === 'compaction',
  );
  const covering = (turn: number) =>
    compactions.findLast(({ turns }) => turns && turns.from <= turn && turn <= turns.to);
  const shown: ConversationEvent[] = [];
  const told = new Set<Remark>();
  let turn = 0;
  for (const event of events) {
    if (event.type === 'turn_start') turn = event.turn;
    if (event.type === 'remark' && event.kind === 'compaction') continue;
    const compaction = covering(turn);
    if (!compaction) shown.push(event);
    else if (!told.has(compaction)) {
      told.add(compaction);
      shown.push(compaction);
    }
  }
  return shown;
}

function outcomeText(outcome: ToolOutcome): string {
  if (outcome.type === 'success') return outcome.text;
  if (outcome.type === 'needs-input') return `The tool needs an answer first: ${outcome.question.text}`;
  const trace = outcome.trace.map((cause) => `\nCaused by: ${cause}`).join('');
  const retry = outcome.transient ? '\nTrying again may help.' : '';
  return `Error: ${outcome.message}${trace}${retry}`;
}

/** Results for calls that a crash left without one; written to the log before anything else. */
export function interruptedCalls(events: readonly ConversationEvent[], at: string): ToolResultEvent[] {
  const answered = new Set(events.filter((event) => event.type === 'tool_result').map(({ id }) => id));
  const open = events.filter((event) => event.type === 'tool_call').filter(({ id }) => !answered.has(id));
  return open.map(({ id, name }) => ({ type: 'tool_result', at, id, name, outcome: failure(INTERRUPTED) }));
}

export const INTERRUPTED = 'This call was interrupted before it had a result.';
