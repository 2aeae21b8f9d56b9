import type { SQLOutputValue } from 'node:sqlite';
import type { DefinitionSource } from '../../../base/approvals.ts';
import type { Clock } from '../../../base/time.ts';
import type { DecisionChannel } from '../../../domain/approvals/approval.ts';
import type { TrustRecord, TrustStore } from '../../../domain/approvals/trust.ts';
import type { Database } from '../seam/database.ts';
import type { Journal } from './decision-log.ts';

export function sqliteTrustStore(database: Database, clock?: Clock, journal?: Journal): TrustStore {
  const { statement } = database;
  return {
    get: (workspace) =>
      database.read(() => {
        const row = statement('select * from trust where workspace = ?').get(workspace);
        return row && recordFrom(row);
      }),
    put: ({ workspace, sources, digest, decision }) =>
      database.write(() => {
        const { by, at, through, signature = null } = decision;
        const insert = statement('insert or replace into trust values (?, ?, ?, ?, ?, ?, ?)');
        insert.run(workspace, JSON.stringify(sources), digest, by, at, through, signature);
        journal?.({ at, act: 'trust', subject: workspace, digest, by, through });
      }),
    revoke: (workspace) =>
      database.write(() => {
        const isGone = statement('delete from trust where workspace = ?').run(workspace).changes === 1;
        const at = clock?.now() ?? 0;
        if (isGone)
          journal?.({ at, act: 'revoke', subject: workspace, digest: null, by: '', through: 'command' });
        return isGone;
      }),
    list: () =>
      database.read(() => statement('select * from trust order by workspace').all().map(recordFrom)),
  };
}

function recordFrom(row: Record<string, SQLOutputValue>): TrustRecord {
  const through = String(row.decided_through) as DecisionChannel;
  const { signature } = row;
  return {
    workspace: String(row.workspace),
    sources: JSON.parse(String(row.sources)) as DefinitionSource[],
    digest: String(row.digest),
    decision: {
      by: String(row.decided_by),
      at: Number(row.decided_at),
      through,
      ...(typeof signature === 'string' && { signature }),
    },
  };
}
