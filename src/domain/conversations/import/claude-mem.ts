import { asNumber, isJsonList, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { EventGatherer, textOf } from './event-gatherer.ts';
import type { ImportedConversation } from './imported-conversation.ts';

const MODEL = 'claude-mem/summary';

/** Sessions with what was asked and the summaries of the answers; the answers themselves are not kept by claude-mem. */
export function conversationsOfClaudeMem(data: JsonObject, now: number): ImportedConversation[] {
  const prompts = byMember(rowsOf(data, 'user_prompts'), 'content_session_id');
  const summaries = byMember(rowsOf(data, 'session_summaries'), 'memory_session_id');
  return rowsOf(data, 'sdk_sessions').flatMap((session) => {
    const id = textOf(session, 'content_session_id');
    const asked = prompts.get(id) ?? [];
    const said = summaries.get(textOf(session, 'memory_session_id')) ?? [];
    if (id === '' || asked.length + said.length === 0) return [];
    const questions = new Set(asked);
    const gatherer = new EventGatherer('claude-mem');
    for (const row of inOrder([...asked, ...said])) {
      gatherer.at(memberOf(row, 'created_at_epoch'));
      if (questions.has(row)) gatherer.user(textOf(row, 'prompt_text'));
      else gatherer.assistant(summaryText(row), MODEL);
    }
    return [gatherer.finish(id, textOf(session, 'custom_title') || undefined, now)];
  });
}

function rowsOf(data: JsonObject, table: string): readonly Json[] {
  const rows = memberOf(data, table);
  return isJsonList(rows) ? rows : [];
}

function byMember(rows: readonly Json[], name: string): ReadonlyMap<string, Json[]> {
  return Map.groupBy(rows, (row) => textOf(row, name));
}

/** By time; a prompt comes before a summary of the same moment, as it is given first. */
function inOrder(rows: readonly Json[]): readonly Json[] {
  const timeOf = (row: Json) => asNumber(memberOf(row, 'created_at_epoch')) ?? 0;
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b));
}

const PARTS = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const;

function summaryText(row: Json): string {
  const parts = PARTS.flatMap((name) => {
    const text = textOf(row, name).trim();
    const [first = '', ...rest] = name.replace('_', ' ');
    return text === '' ? [] : [`## ${first.toUpperCase()}${rest.join('')}\n\n${text}`];
  });
  return parts.join('\n\n');
}
