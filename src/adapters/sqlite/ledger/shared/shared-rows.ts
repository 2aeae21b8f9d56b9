/** Events of others in the ledger's database, which may itself have come from others. */

import type { SQLOutputValue } from 'node:sqlite';
import { canonicalJson } from '../../../../base/json.ts';
import type { OperatorKey } from '../../../../domain/ledger/entry/operator-key.ts';
import {
  type LinePorts,
  parseSharedLine,
  type SharedEvent,
} from '../../../../domain/ledger/shared/shared-line.ts';
import type { Database } from '../../seam/database.ts';

export type SharedState = 'new' | 'counted' | 'proposed' | 'waiting' | 'ahead' | 'twin' | 'settled';

export interface SharedRow extends SharedEvent {
  readonly line: string;
  readonly due: number;
  readonly state: SharedState;
  readonly why: string | undefined;
  readonly settled: 'accepted' | 'declined' | undefined;
}

export function sharedRows({ statement }: Database, key: OperatorKey, ports: LinePorts) {
  const settling = (id: string, digest: string, settled: string) =>
    canonicalJson([
      'ken-ledger-settled-1',
      String(statement('select id from ledger').get()?.id),
      id,
      digest,
      settled,
    ]);

  function rowFrom(row: Record<string, SQLOutputValue>): SharedRow[] {
    const line = String(row.line);
    const parsed = parseSharedLine(line, ports);
    if ('problem' in parsed) return [];
    const statementText = settling(parsed.event.eventId, parsed.digest, String(row.settled));
    const isSettled = row.settled !== null && key.verify(statementText, String(row.settled_mac));
    return [
      {
        ...parsed,
        line,
        due: Number(row.due),
        state: String(row.state) as SharedState,
        why: row.why === null ? undefined : String(row.why),
        settled: isSettled ? (String(row.settled) as 'accepted' | 'declined') : undefined,
      },
    ];
  }

  return {
    all: (): SharedRow[] =>
      statement('select * from shared_event order by id, digest').all().flatMap(rowFrom),
    inState: (state: SharedState): SharedRow[] =>
      statement('select * from shared_event where state = ? order by id, digest').all(state).flatMap(rowFrom),
    put({ event, digest }: SharedEvent, line: string, due: number): void {
      statement("insert or ignore into shared_event values (?, ?, ?, ?, 'new', null, null, null)").run(
        event.eventId,
        digest,
        line,
        due,
      );
    },
    setState({ event, digest }: SharedEvent, state: SharedState, why: string | undefined): void {
      statement('update shared_event set state = ?, why = ? where id = ? and digest = ?').run(
        state,
        why ?? null,
        event.eventId,
        digest,
      );
    },
    settle({ event, digest }: SharedEvent, settled: 'accepted' | 'declined'): void {
      const mac = key.sign(settling(event.eventId, digest, settled)) ?? null;
      const values = [settled, mac, event.eventId, digest];
      statement(
        "update shared_event set state = 'settled', settled = ?, settled_mac = ? where id = ? and digest = ?",
      ).run(...values);
    },
  };
}
