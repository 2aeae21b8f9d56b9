import type { SQLOutputValue } from 'node:sqlite';
import type { JsonObject } from '../../../base/json.ts';
import type { ToolPin, ToolPinStore } from '../../../domain/approvals/tool-pin.ts';
import type { Database } from '../seam/database.ts';

export function sqliteToolPinStore(database: Database): ToolPinStore {
  const { statement } = database;
  return {
    get: ({ workspace, server, tool }) =>
      database.read(() => {
        const select = statement('select * from tool_pin where workspace = ? and server = ? and tool = ?');
        const row = select.get(workspace, server, tool);
        return row && pinFrom(row);
      }),
    put: ({ workspace, server, tool, definition, digest, pinned }) =>
      database.write(() => {
        const insert = statement('insert or replace into tool_pin values (?, ?, ?, ?, ?, ?)');
        insert.run(workspace, server, tool, JSON.stringify(definition), digest, pinned);
      }),
    list: (workspace) =>
      database.read(() =>
        statement('select * from tool_pin where workspace = ? order by server, tool')
          .all(workspace)
          .map(pinFrom),
      ),
    remove: ({ workspace, server, tool }) =>
      database.write(() => {
        const remove = statement('delete from tool_pin where workspace = ? and server = ? and tool = ?');
        return remove.run(workspace, server, tool).changes === 1;
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
  };
}
