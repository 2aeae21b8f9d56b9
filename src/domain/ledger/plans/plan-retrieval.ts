import { Fault } from '../../../base/fault.ts';
import type { LedgerEvent, Stamp } from '../entry/ledger-event.ts';
import { noEntry } from './plan-status.ts';

export const OUTCOMES = ['helped', 'neutral', 'hurt', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const SOURCES = ['invocation', 'manual_feedback'] as const;
export type Source = (typeof SOURCES)[number];

export interface RetrievalRequest {
  readonly query: string;
  readonly returnedIds: readonly string[];
  readonly usedIds: readonly string[];
  readonly outcome: Outcome;
  readonly source: Source;
  readonly stamp: Stamp;
}

export function planRetrieval(known: ReadonlySet<string>, request: RetrievalRequest): LedgerEvent {
  const { query, returnedIds, usedIds, outcome, source, stamp } = request;
  const stray = usedIds.find((id) => !returnedIds.includes(id));
  if (stray !== undefined) {
    throw new Fault(
      'ledger/invalid',
      `used_ids must be a subset of returned_ids; '${stray}' was not returned.`,
    );
  }
  const missing = returnedIds.find((id) => !known.has(id));
  if (missing !== undefined) throw noEntry(missing);
  return {
    ...stamp,
    type: 'retrieval',
    data: { query, returned_ids: returnedIds, used_ids: usedIds, outcome, source },
    changes: [],
  };
}
