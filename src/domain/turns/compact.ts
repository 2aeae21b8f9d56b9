/** Summarises turns for models. The log keeps them whole. */

import { Fault } from '../../base/fault.ts';
import { counted } from '../../base/text.ts';
import type { ConversationEvent, Remark } from '../conversations/event.ts';
import { historyMessages } from './history-messages.ts';
import type { Model } from './model/model.ts';

export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** Turns that a compaction may cover: all but the last `keep`. A Fault when nothing is left to compact. */
export function compactableTurns(events: readonly ConversationEvent[], keep: number): TurnRange {
  const turns = events.flatMap((event) => (event.type === 'turn_start' ? [event.turn] : []));
  const from = turns[0];
  const to = turns[turns.length - keep - 1];
  if (from !== undefined && to !== undefined) return { from, to };
  if (turns.length === 0) throw new Fault('conversations/nothing-to-compact', 'There are no turns yet.');
  const count = `The conversation has ${counted(turns.length, 'turn')}`;
  const kept = keep === 1 ? 'the last one is never compacted' : `the last ${keep} are not compacted`;
  throw new Fault('conversations/nothing-to-compact', `${count}, and ${kept}.`, {
    hint: keep === 1 ? 'Compact it once it has more turns.' : 'Give --keep a smaller number.',
  });
}

const REQUEST =
  'Tell this conversation so far in short, for yourself: what was asked, what was found and decided, names, paths, ' +
  'numbers and commands exactly as they are, what is still open. No preamble.';

export async function summariseTurns(
  model: Model,
  events: readonly ConversationEvent[],
  range: TurnRange,
  signal: AbortSignal,
): Promise<string> {
  const messages = [...historyMessages(turnsIn(events, range)), { role: 'user' as const, text: REQUEST }];
  let text = '';
  let isWhole = false;
  for await (const event of model.stream({ system: '', messages, tools: [] }, signal)) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type === 'finish') isWhole = event.finish === 'stop';
  }
  signal.throwIfAborted();
  if (isWhole && text.trim() !== '') return text.trim();
  throw new Fault('models/dropped', `${model.name} gave no complete summary, so nothing was changed.`, {
    hint: 'Try again.',
  });
}

/** Without a language model: each question with the beginning of its answer. */
export function outlineTurns(events: readonly ConversationEvent[], range: TurnRange): string {
  const lines: string[] = [];
  for (const event of turnsIn(events, range)) {
    if (event.type === 'turn_start') lines.push(`Turn ${event.turn}:`);
    if (event.type === 'user_message') lines.push(`- asked: ${beginning(event.text)}`);
    if (event.type === 'assistant_message' && event.text !== '')
      lines.push(`- answered: ${beginning(event.text)}`);
  }
  return lines.join('\n');
}

export function compaction(range: TurnRange, text: string, at: string): Remark {
  return { type: 'remark', at, kind: 'compaction', text, turns: range };
}

function turnsIn(events: readonly ConversationEvent[], { from, to }: TurnRange): ConversationEvent[] {
  let turn = 0;
  return events.filter((event) => {
    if (event.type === 'turn_start') turn = event.turn;
    return turn >= from && turn <= to;
  });
}

const BEGINNING = 200;

function beginning(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length > BEGINNING ? `${letters.slice(0, BEGINNING).join('')}…` : letters.join('');
}
