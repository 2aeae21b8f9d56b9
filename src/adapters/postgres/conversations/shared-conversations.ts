import type { Row } from 'postgres';
import {
  metadataText,
  type SharedConversation,
  type SharedConversations,
  sharedFrom,
} from '../../../domain/team/conversations/shared-conversations.ts';
import { bytesIn } from '../contents/file-sets.ts';
import type { Database, Tenant } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

export function postgresSharedConversations(database: Database, tenant: Tenant): SharedConversations {
  return {
    list: () =>
      database.read(async (sql) => {
        const rows = await sql`
          select c.id, c.digest, c.metadata from ken.shared_conversation c
          where ${tenantTerm(sql, tenant, 'c')} order by c.id`;
        return rows.flatMap((row) => conversationFrom(row) ?? []);
      }),
    get: (id) =>
      database.read(async (sql) => {
        const [row] = await sql`
          select c.id, c.digest, c.metadata from ken.shared_conversation c
          where ${tenantTerm(sql, tenant, 'c')} and c.id = ${id}`;
        return row && conversationFrom(row);
      }),
    lines: (id) =>
      database.read(async (sql) => {
        const [row] = await sql`
          select c.lines from ken.shared_conversation c
          where ${tenantTerm(sql, tenant, 'c')} and c.id = ${id}`;
        return row && new TextDecoder().decode(bytesIn(row.lines));
      }),
    put: ({ id, digest, metadata }, lines) =>
      database.write(async (sql) => {
        const row = { ...tenant, id, digest, metadata: metadataText(metadata), lines: Buffer.from(lines) };
        await sql`
          insert into ken.shared_conversation ${sql(row)} on conflict (team, workspace, id)
          do update set digest = excluded.digest, metadata = excluded.metadata, lines = excluded.lines`;
      }),
    remove: (id) =>
      database.write(async (sql) => {
        const { count } = await sql`
          delete from ken.shared_conversation c where ${tenantTerm(sql, tenant, 'c')} and c.id = ${id}`;
        return count > 0;
      }),
  };
}

function conversationFrom({ id, digest, metadata }: Row): SharedConversation | undefined {
  return sharedFrom(String(id), String(metadata), String(digest));
}
