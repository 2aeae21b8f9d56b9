import type { Row } from 'postgres';
import { isJsonObject, memberOf, parseJson } from '../../../base/json.ts';
import type { SharedTopic, SharedTopics, TopicAbout } from '../../../domain/team/topics/shared-topics.ts';
import {
  addFiles,
  bytesIn,
  filesIn,
  holdContents,
  MOST_BYTES,
  newFileSet,
  removeFileSet,
} from '../contents/file-sets.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

export function postgresSharedTopics(database: Database, tenant: Tenant): SharedTopics {
  return {
    digests: () =>
      database.read(async (sql) => {
        const rows = await sql`
          select t.id, t.digest from ken.subject_topic t
          where ${tenantTerm(sql, tenant, 't')} order by t.id`;
        return new Map(rows.map(({ id, digest }) => [String(id), String(digest)]));
      }),
    get: (id) =>
      database.read(async (sql) => {
        const row = await rowOf(sql, tenant, id);
        return row && topicFrom(sql, tenant, row);
      }),
    contents: (id) =>
      database.read(async (sql) => {
        const row = await rowOf(sql, tenant, id);
        return row ? contentsOf(sql, tenant, String(row.file_set)) : new Map();
      }),
    put: ({ id, about, digest, contents }, over) =>
      database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        const before = await rowOf(sql, tenant, id);
        if ((before && String(before.digest)) !== over) return false;
        const set = await newFileSet(sql, tenant);
        const files = [...contents].map(([path, content]) => ({ path, content }));
        await addFiles(sql, tenant, set, files);
        const row = { ...tenant, id, file_set: set, digest, about: JSON.stringify(about) };
        await sql`
          insert into ken.subject_topic ${sql(row)} on conflict (team, workspace, id)
          do update set file_set = excluded.file_set, digest = excluded.digest, about = excluded.about`;
        if (before) await removeFileSet(sql, tenant, String(before.file_set));
        return true;
      }),
    remove: (id) =>
      database.write(async (sql) => {
        await holdContents(sql, tenant, 'alone');
        const [gone] = await sql`
          delete from ken.subject_topic t where ${tenantTerm(sql, tenant, 't')} and t.id = ${id}
          returning t.file_set`;
        if (gone) await removeFileSet(sql, tenant, String(gone.file_set));
        return gone !== undefined;
      }),
  };
}

export async function rowOf(sql: Transaction, tenant: Tenant, id: string): Promise<Row | undefined> {
  const [row] = await sql`
    select t.id, t.file_set, t.digest, t.about from ken.subject_topic t
    where ${tenantTerm(sql, tenant, 't')} and t.id = ${id}`;
  return row;
}

export async function contentsOf(
  sql: Transaction,
  tenant: Tenant,
  set: string,
): Promise<Map<string, Uint8Array>> {
  const rows = await sql`
    select f.path, c.bytes from ken.file f
    cross join lateral (
      select n.bytes from ken.content n
      where n.team = ${tenant.team} and n.sha256 = f.sha256 and octet_length(n.bytes) <= ${MOST_BYTES} offset 0
    ) c
    where ${tenantTerm(sql, tenant, 'f')} and f.file_set = ${set} order by f.path`;
  return new Map(rows.map(({ path, bytes }) => [String(path), bytesIn(bytes)]));
}

async function topicFrom(
  sql: Transaction,
  tenant: Tenant,
  { id, file_set, digest, about }: Row,
): Promise<SharedTopic> {
  const files = await filesIn(sql, tenant, String(file_set));
  return { id: String(id), about: aboutFrom(String(about)), files, digest: String(digest) };
}

function aboutFrom(text: string): TopicAbout {
  const json = parseJson(text);
  const about: Record<string, string> = {};
  for (const name of ['title', 'introduction', 'description']) {
    const value = isJsonObject(json) ? memberOf(json, name) : undefined;
    if (typeof value === 'string') about[name] = value;
  }
  return about;
}
