/** Finds the candidates of a question in the database, by pg_textsearch over our own terms and by pgvector. */

import type { HitKind } from '../../../domain/search/index/index-item.ts';
import {
  type CandidateRequest,
  SERVED_BY_MEANING,
  SERVED_BY_WORDS,
  type ServedCandidate,
  type ServedFacts,
  type ServedGroup,
  type ServedIndex,
  searchedTerms,
} from '../../../domain/search/index/served-index.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { type Fragment, tenantTerm } from '../seam/terms.ts';
import { listsOf } from './index-segments.ts';
import { type IndexState, readState } from './index-state.ts';
import { servedIndexNames } from './served-state.ts';

export interface ServedOptions {
  readonly database: Database;
  readonly tenant: Tenant;
  /** Called when a question found that processes keep the index. */
  onKept(state: IndexState): void;
}

export function postgresServedIndex({ database, tenant, onKept }: ServedOptions): ServedIndex {
  return {
    servedFacts: (terms) =>
      database.read(async (sql) => {
        const state = await readState(sql, tenant);
        if (state?.served === 'ready') return readFacts(sql, tenant, state, terms);
        if (state) onKept(state);
        return undefined;
      }),
    servedCandidates: (request) =>
      database.read(async (sql) => {
        const state = await readState(sql, tenant);
        return state?.served === 'ready' ? findCandidates(sql, tenant, state, request) : [];
      }),
  };
}

async function readFacts(
  sql: Transaction,
  tenant: Tenant,
  { embedder }: IndexState,
  terms: readonly string[],
): Promise<ServedFacts> {
  return {
    groups: await readServedGroups(sql, tenant),
    embedder,
    lists: terms.length > 0 ? await listsOf(sql, tenant, terms) : [],
  };
}

async function readServedGroups(sql: Transaction, tenant: Tenant): Promise<ServedGroup[]> {
  const rows = await sql`select g.* from ken.search_group g where ${tenantTerm(sql, tenant, 'g')}`;
  return rows.map(({ number, source, kind, topic, chunks, length, embedded }) => ({
    number: Number(number),
    source: String(source),
    kind: kind as HitKind,
    topic: String(topic),
    chunks: Number(chunks),
    length: Number(length),
    embedded: Number(embedded),
  }));
}

/**
 * The parts of pgvector that a plan needs: it reads on until enough rows pass the condition. The indexes hold the rows of
 * one workspace, which only a plan for these very values can know.
 */
const SETTINGS =
  `set local plan_cache_mode = force_custom_plan; set local hnsw.ef_search = ${SERVED_BY_MEANING}; ` +
  'set local hnsw.iterative_scan = strict_order';

async function findCandidates(
  sql: Transaction,
  tenant: Tenant,
  { embedder }: IndexState,
  { terms, vector, groups }: CandidateRequest,
): Promise<ServedCandidate[]> {
  await sql.unsafe(SETTINGS);
  const isWanted = groups
    ? sql`c.group_number in (select jsonb_array_elements_text(${sql.json([...groups])})::bigint)`
    : sql`true`;
  const parts: Fragment[] = [];
  if (terms.length > 0) parts.push(byWords(sql, tenant, terms, isWanted));
  if (vector && vector.length === embedder?.dimension) parts.push(byMeaning(sql, tenant, vector, isWanted));
  const [first, second] = parts;
  if (!first) return [];
  const rows = second ? await sql`(${first}) union (${second})` : await sql`${first}`;
  return rows.map(({ chunk, length }) => ({ chunk: Number(chunk), length: Number(length) }));
}

function byWords(sql: Transaction, tenant: Tenant, terms: readonly string[], isWanted: Fragment): Fragment {
  const question = searchedTerms(terms).join(' ');
  const name = `ken.${servedIndexNames(tenant).words}`;
  return sql`
    select c.chunk, c.length from ken.search_candidate c where ${tenantTerm(sql, tenant, 'c')} and ${isWanted}
    order by c.terms <@> to_bm25query(${question}, ${name}) limit ${SERVED_BY_WORDS}`;
}

function byMeaning(sql: Transaction, tenant: Tenant, vector: Float32Array, isWanted: Fragment): Fragment {
  // Part of the statement, so that the planner sees the expression of the index.
  const type = sql.unsafe(`halfvec(${vector.length})`);
  const text = `[${vector.join(',')}]`;
  return sql`
    select c.chunk, c.length from ken.search_candidate c
    where ${tenantTerm(sql, tenant, 'c')} and c.vector is not null and ${isWanted}
    order by c.vector::${type} <=> ${text}::${type} limit ${SERVED_BY_MEANING}`;
}
