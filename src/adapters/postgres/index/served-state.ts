/** The record that the database finds the candidates of an index, and the indexes that it does so by. */

import { createHash } from 'node:crypto';
import type { Tenant, Transaction } from '../seam/database.ts';
import type { Migration } from '../seam/migrate.ts';
import { tenantTerm } from '../seam/terms.ts';

export const SERVED_STEPS: readonly Migration[] = [
  {
    name: 'search index: candidates that the database finds',
    sql: `
      -- 'filling' while rows are added that were there before, then 'ready'; null while processes keep the index.
      alter table ken.search_state add column served text check (served in ('filling', 'ready'));
      -- Sums over the candidates; 0 without them.
      alter table ken.search_group add column chunks bigint not null default 0,
        add column length bigint not null default 0, add column embedded bigint not null default 0;
    `,
  },
];

/** Made when the first index is served, since it needs the extension. */
export const CANDIDATE_TABLE = `
  create table if not exists ken.search_candidate (
    team text collate "C" not null,
    workspace text collate "C" not null,
    chunk bigint not null,
    group_number bigint not null,
    length integer not null,
    terms text not null,
    -- Also without a vector, when the text has no words.
    is_embedded boolean not null,
    vector halfvec,
    primary key (team, workspace, chunk)
  )`;

export interface ServedIndexNames {
  readonly words: string;
  readonly meaning: string;
}

/** Each served index of a team has indexes of its own: the statistics of words are those of the workspace. */
export function servedIndexNames({ team, workspace }: Tenant): ServedIndexNames {
  const hash = createHash('sha256')
    .update(JSON.stringify([team, workspace]))
    .digest('hex')
    .slice(0, 16);
  return { words: `search_candidate_words_${hash}`, meaning: `search_candidate_meaning_${hash}` };
}

/** The index over vectors is made for their dimensions, so not before the first embedder. Requires the lock of the state. */
export async function fillAgain(sql: Transaction, tenant: Tenant): Promise<void> {
  await sql`update ken.search_state s set served = 'filling' where ${tenantTerm(sql, tenant, 's')}`;
}

/** Forgets the candidates. Requires the lock of the state. */
export async function stopServing(sql: Transaction, tenant: Tenant): Promise<void> {
  const { words, meaning } = servedIndexNames(tenant);
  await sql.unsafe(`drop index if exists ken.${words}; drop index if exists ken.${meaning}`);
  await sql`delete from ken.search_candidate c where ${tenantTerm(sql, tenant, 'c')}`;
  await sql`
    update ken.search_group g set chunks = 0, length = 0, embedded = 0 where ${tenantTerm(sql, tenant, 'g')}`;
  await sql`update ken.search_state s set served = null where ${tenantTerm(sql, tenant, 's')}`;
}
