import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson } from '../../../base/json.ts';
import {
  type DecisionLog,
  entryContent,
  entryHash,
  type LogOrigin,
  type NewLogEntry,
} from '../../../domain/approvals/lock/decision-log.ts';
import type { Database } from '../seam/database.ts';

/** Appends within the transaction that is open: the decision and its entry are written together or not at all. */
export type Journal = (entry: NewLogEntry) => void;

export interface JournalPorts {
  readonly hasher: Hasher;
  origin(): LogOrigin;
  /** Undefined: the key is not open here. */
  seal(hash: string): string | undefined;
}

export function sqliteJournal({ statement }: Database, { hasher, origin, seal }: JournalPorts): Journal {
  return (entry) => {
    const last = statement('select hash from decision_log order by number desc limit 1').get();
    const content = entryContent({ ...entry, ...origin() });
    const hash = entryHash(hasher, String(last?.hash ?? ''), content);
    const insert = statement('insert into decision_log (content, hash, signature) values (?, ?, ?)');
    insert.run(canonicalJson(content), hash, seal(hash) ?? null);
  };
}

export function sqliteDecisionLog(database: Database, journal: Journal): DecisionLog {
  return {
    append: (entry) => database.write(() => journal(entry)),
    lastNumber: () =>
      database.read(() => {
        const kept = "select seq from sqlite_sequence where name = 'decision_log'";
        return Number(database.statement(kept).get()?.seq ?? 0);
      }),
    list: (limit = -1) =>
      database.read(() =>
        database
          .statement('select * from decision_log order by number desc limit ?')
          .all(limit)
          .map((row) => ({
            ...(JSON.parse(String(row.content)) as NewLogEntry & LogOrigin),
            number: Number(row.number),
            hash: String(row.hash),
            signature: row.signature === null ? undefined : String(row.signature),
          })),
      ),
  };
}
