import { isJsonList, memberOf } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { ConversationEvent, Usage } from './event.ts';

export type TextKind = 'user' | 'assistant' | 'reasoning' | 'tool';

export interface EventText {
  readonly kind: TextKind;
  readonly turn: number;
  readonly text: string;
  /** The model that said it. */
  readonly model?: string;
}

/** The model that needs no provider: it answers in the words of the knowledge that it finds. */
export const OFFLINE_MODEL = 'ken/extractive';

/** Every text of a log with its turn, oldest first. Turns are counted from 1; 0 is before the first. */
export function* eventTexts(events: Iterable<ConversationEvent>): Generator<EventText> {
  let turn = 0;
  for (const event of events) {
    if (event.type === 'turn_start') turn = event.turn;
    const found = textOf(event);
    if (found && found.text !== '') yield { ...found, turn };
  }
}

function textOf(event: ConversationEvent): Omit<EventText, 'turn'> | undefined {
  switch (event.type) {
    case 'user_message':
      return { kind: 'user', text: event.text };
    case 'assistant_message':
      return { kind: 'assistant', text: event.text, model: event.model };
    case 'reasoning':
      return { kind: 'reasoning', text: event.text };
    case 'tool_call':
      return { kind: 'tool', text: `${event.name} ${JSON.stringify(event.arguments)}` };
    case 'tool_result':
      return { kind: 'tool', text: resultText(event.outcome) };
    default:
      return undefined;
  }
}

function resultText(outcome: Extract<ConversationEvent, { type: 'tool_result' }>['outcome']): string {
  if (outcome.type === 'success') return outcome.text;
  return outcome.type === 'error' ? outcome.message : outcome.question.text;
}

/** A code fence longer than any run of backticks inside, so that nothing in the text can end it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

type UsageTotal = Omit<Usage, 'type' | 'at' | 'model'>;

const FIELDS = ['input_tokens', 'output_tokens', 'cached_tokens', 'reasoning_tokens', 'cost_usd'] as const;

/** A figure that no provider reported is absent. */
export function usageTotal(events: Iterable<ConversationEvent>): UsageTotal {
  const total: { [Name in (typeof FIELDS)[number]]?: number } = {};
  for (const event of events) {
    if (event.type !== 'usage') continue;
    for (const field of FIELDS) {
      const value = event[field];
      if (value !== undefined) total[field] = (total[field] ?? 0) + value;
    }
  }
  return total;
}

/** Subjects that the assistant loaded by itself, as `topic/subject`. */
export function learnedSubjects(events: readonly ConversationEvent[]): readonly string[] {
  const learned = new Set<string>();
  for (const event of events) {
    if (event.type !== 'tool_call' || event.name !== 'learn') continue;
    const [topic, subjects] = ['topic', 'subjects'].map((name) => memberOf(event.arguments, name));
    if (typeof topic !== 'string') continue;
    for (const subject of isJsonList(subjects) ? subjects : [subjects])
      if (typeof subject === 'string') learned.add(`${topic}/${subject}`);
  }
  return [...learned].sort(compareCodePoints);
}
