/** Sets of files, of whose contents a team keeps each once. */

import { createHash } from 'node:crypto';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

/**
 * Until the transaction ends, no other removes contents of the team (`shared`), or uses any (`alone`). Otherwise one
 * could be removed while another file begins to need it.
 */
export async function holdContents(
  sql: Transaction,
  { team }: Pick<Tenant, 'team'>,
  how: 'shared' | 'alone',
): Promise<void> {
  const mode = how === 'alone' ? sql`for update` : sql`for share`;
  const hold = () => sql`select 1 from ken.team_contents t where t.team = ${team} ${mode}`;
  if ((await hold()).length > 0) return;
  await sql`insert into ken.team_contents ${sql({ team })} on conflict do nothing`;
  await hold();
}

export async function newFileSet(sql: Transaction, { team, workspace }: Tenant): Promise<string> {
  const [row] = await sql`
    insert into ken.file_set (team, workspace, id) values (${team}, ${workspace}, gen_random_uuid()::text)
    returning id`;
  return String(row?.id);
}

/** A file with its content, or with the digest of one that the team has. */
export type NewFile =
  | { readonly path: string; readonly content: Uint8Array }
  | { readonly path: string; readonly sha256: string; readonly bytes: number };

/** So many rows of six values fit into one statement. */
const ROWS = 5_000;

/** Requires the hold. The paths are not in the set yet. */
export async function addFiles(
  sql: Transaction,
  tenant: Tenant,
  set: string,
  files: readonly NewFile[],
): Promise<void> {
  const { team } = tenant;
  for (let at = 0; at < files.length; at += ROWS) {
    const described = files.slice(at, at + ROWS).map(withDigest);
    const given = new Map(described.flatMap(({ sha256, content }) => (content ? [[sha256, content]] : [])));
    const known = await sql`
      select n.sha256 from jsonb_array_elements_text(${sql.json([...given.keys()])}) wanted (sha256)
      cross join lateral (
        select c.sha256 from ken.content c where c.team = ${team} and c.sha256 = wanted.sha256 offset 0
      ) n`;
    for (const row of known) given.delete(hashOf(row));
    const contents = [...given].map(([sha256, bytes]) => ({ team, sha256, bytes }));
    if (contents.length > 0) await sql`insert into ken.content ${sql(contents)} on conflict do nothing`;
    const rows = described.map(({ path, sha256, size }) => ({
      ...tenant,
      file_set: set,
      path,
      sha256,
      size,
    }));
    await sql`insert into ken.file ${sql(rows)}`;
  }
}

function withDigest(file: NewFile) {
  if ('sha256' in file) return { path: file.path, sha256: file.sha256, size: file.bytes, content: undefined };
  const { path, content } = file;
  return { path, sha256: createHash('sha256').update(content).digest('hex'), size: content.length, content };
}

/** Requires to hold the contents alone. */
export async function removeFile(
  sql: Transaction,
  tenant: Tenant,
  { set, path }: { readonly set: string; readonly path: string },
): Promise<void> {
  const gone = await sql`
    delete from ken.file f where ${tenantTerm(sql, tenant, 'f')} and f.file_set = ${set} and f.path = ${path}
    returning f.sha256`;
  await removeUnused(sql, tenant, gone.map(hashOf));
}

/** Requires to hold the contents alone. Nothing names the set any more. */
export async function removeFileSet(sql: Transaction, tenant: Tenant, set: string): Promise<void> {
  const gone = await sql`
    delete from ken.file f where ${tenantTerm(sql, tenant, 'f')} and f.file_set = ${set} returning f.sha256`;
  await sql`delete from ken.file_set s where ${tenantTerm(sql, tenant, 's')} and s.id = ${set}`;
  await removeUnused(sql, tenant, gone.map(hashOf));
}

/** So many values fit into one statement. */
const SLICE = 10_000;

async function removeUnused(sql: Transaction, { team }: Tenant, hashes: readonly string[]): Promise<void> {
  const all = [...new Set(hashes)];
  for (let at = 0; at < all.length; at += SLICE) {
    const slice = all.slice(at, at + SLICE);
    const used = await sql`
      select wanted.sha256 from jsonb_array_elements_text(${sql.json(slice)}) wanted (sha256)
      cross join lateral (
        select 1 from ken.file f where f.team = ${team} and f.sha256 = wanted.sha256 limit 1
      ) one`;
    const kept = new Set(used.map(hashOf));
    const unused = slice.filter((hash) => !kept.has(hash));
    if (unused.length > 0)
      await sql`delete from ken.content c where c.team = ${team} and c.sha256 in ${sql(unused)}`;
  }
}

/** Sets that were begun a day ago and that nothing names; returns their number. Requires to hold the contents alone. */
export async function removeForgottenSets(sql: Transaction, tenant: Tenant): Promise<number> {
  const forgotten = await sql`
    select s.id from ken.file_set s
    left join ken.reference_topic r on ${tenantTerm(sql, tenant, 'r')} and r.file_set = s.id
    left join ken.subject_topic t on ${tenantTerm(sql, tenant, 't')} and t.file_set = s.id
    where ${tenantTerm(sql, tenant, 's')} and s.since < now() - interval '1 day'
      and r.slug is null and t.id is null`;
  for (const { id } of forgotten) await removeFileSet(sql, tenant, String(id));
  return forgotten.length;
}

export interface FileRow {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Sorted by path. */
export async function filesIn(sql: Transaction, tenant: Tenant, set: string): Promise<FileRow[]> {
  const rows = await sql`
    select f.path, f.sha256, f.size from ken.file f
    where ${tenantTerm(sql, tenant, 'f')} and f.file_set = ${set} order by f.path`;
  return rows.map(({ path, sha256, size }) => ({
    path: String(path),
    sha256: String(sha256),
    bytes: Number(size),
  }));
}

/** A longer content is as if it were missing: no file that ken keeps is longer. */
export const MOST_BYTES = 64 * 1024 * 1024;

export async function contentOf(
  sql: Transaction,
  tenant: Tenant,
  { set, path }: { readonly set: string; readonly path: string },
): Promise<Uint8Array | undefined> {
  const [row] = await sql`
    select c.bytes from ken.file f join ken.content c on c.team = ${tenant.team} and c.sha256 = f.sha256
    where ${tenantTerm(sql, tenant, 'f')} and f.file_set = ${set} and f.path = ${path}
      and octet_length(c.bytes) <= ${MOST_BYTES}`;
  return row && bytesIn(row.bytes);
}

export function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('The database has something else in place of bytes.');
}

function hashOf(row: Readonly<Record<string, unknown>>): string {
  return String(row.sha256);
}
