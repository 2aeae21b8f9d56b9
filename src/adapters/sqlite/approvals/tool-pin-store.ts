import type { SQLOutputValue } from 'node:sqlite';
import type { JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../../base/time.ts';
import type { ToolPin, ToolPinStore } from '../../../domain/approvals/tool-pin.ts';
import type { Database } from '../seam/database.ts';
import type { Journal } from './decision-log.ts';

export function sqliteToolPinStore(database: Database, clock?: Clock, journal?: Journal): ToolPinStore {
  const { statement } = database;
  return {
    get: ({ workspace, server, tool }) =>
      database.read(() => {
        const select = statement('select * from tool_pin where workspace = ? and server = ? and tool = ?');
        const row = select.get(workspace, server, tool);
        return row && pinFrom(row);
      }),
    put: ({ workspace, server, tool, definition, digest, pinned, signature = null }) =>
      database.write(() => {
        const insert = statement('insert or replace into tool_pin values (?, ?, ?, ?, ?, ?, ?)');
        insert.run(workspace, server, tool, JSON.stringify(definition), digest, pinned, signature);
        const subject = `${server}/${tool} in ${workspace}`;
        journal?.({ at: pinned, act: 'pin', subject, digest, by: '', through: 'approval' });
      }),
    list: (workspace) =>
      database.read(() =>
        statement(
          'select * from tool_pin where ?1 is null or workspace = ?1 order by workspace, server, tool',
        )
          .all(workspace ?? null)
          .map(pinFrom),
      ),
    remove: ({ workspace, server, tool }) =>
      database.write(() => {
        const remove = statement('delete from tool_pin where workspace = ? and server = ? and tool = ?');
        const isGone = remove.run(workspace, server, tool).changes === 1;
        const subject = `${server}/${tool} in ${workspace}`;
        const at = clock?.now() ?? 0;
        if (isGone) journal?.({ at, act: 'unpin', subject, digest: null, by: '', through: 'command' });
        return isGone;
      }),
  };
}

function pinFrom(row: Record<string, SQLOutputValue>): ToolPin {
  return {
    workspace: String(row.workspace),
    server: String(row.server),
    tool: String(row.tool),
    definition: JSON.parse(String(row.definition)) as JsonObject,
    digest: String(row.digest),
    pinned: Number(row.pinned),
    ...(typeof row.signature === 'string' && { signature: row.signature }),
  };
}
