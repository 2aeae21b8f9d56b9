import type { DefinitionSource } from '../../../base/approvals.ts';
import type { DecisionChannel } from '../../../domain/approvals/approval.ts';
import type { TrustStore } from '../../../domain/approvals/trust.ts';
import type { Database } from '../seam/database.ts';

export function sqliteTrustStore(database: Database): TrustStore {
  const { statement } = database;
  return {
    get: (workspace) =>
      database.read(() => {
        const row = statement('select * from trust where workspace = ?').get(workspace);
        if (!row) return undefined;
        const through = String(row.decided_through) as DecisionChannel;
        return {
          workspace,
          sources: JSON.parse(String(row.sources)) as DefinitionSource[],
          digest: String(row.digest),
          decision: { by: String(row.decided_by), at: Number(row.decided_at), through },
        };
      }),
    put: ({ workspace, sources, digest, decision }) =>
      database.write(() => {
        const insert = statement('insert or replace into trust values (?, ?, ?, ?, ?, ?)');
        insert.run(workspace, JSON.stringify(sources), digest, decision.by, decision.at, decision.through);
      }),
    revoke: (workspace) =>
      database.write(() => statement('delete from trust where workspace = ?').run(workspace).changes === 1),
  };
}
