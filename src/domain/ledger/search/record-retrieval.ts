import { type Actor, type StampPorts, stampOf } from '../add-entry.ts';
import { checkedChoice } from '../entry/checked-input.ts';
import { entryId } from '../entry/entry.ts';
import type { LedgerFile } from '../entry/ledger-event.ts';
import { OUTCOMES, SOURCES } from '../plans/plan-retrieval.ts';
import type { LedgerStore } from '../store.ts';

export interface RetrievalInput {
  readonly query: string;
  readonly returnedIds: readonly string[];
  readonly usedIds: readonly string[];
  readonly outcome: string;
  readonly source?: string | undefined;
  readonly actor: Actor;
}

export async function recordRetrieval(
  ports: StampPorts & { readonly ledger: LedgerStore },
  input: RetrievalInput,
): Promise<{ eventId: string; file: LedgerFile }> {
  const outcome = checkedChoice('retrieval outcome', input.outcome, OUTCOMES) ?? 'unknown';
  const source = checkedChoice('retrieval source', input.source, SOURCES) ?? 'invocation';
  const stamp = stampOf(ports, input.actor);
  await ports.ledger.recordRetrieval({
    query: input.query,
    returnedIds: input.returnedIds.map(entryId),
    usedIds: input.usedIds.map(entryId),
    outcome,
    source,
    stamp,
  });
  return { eventId: stamp.eventId, file: 'knowledge.retrieval.events.jsonl' };
}
