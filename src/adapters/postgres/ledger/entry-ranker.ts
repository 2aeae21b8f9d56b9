import type { Row } from 'postgres';
import type { EntryRanker, RankRequest } from '../../../domain/ledger/search/entry-ranker.ts';
import { fitsPhrases } from '../../../domain/words/contains-phrase.ts';
import { type ParsedQuery, parseQuery } from '../../../domain/words/parse-query.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { conditionsOf } from './ledger-conditions.ts';

/** Constants of FTS5, which ranks the local ledger. A word in most entries weighs next to nothing, never less. */
const K1 = 1.2;
const B = 0.75;
const LEAST_IDF = 1e-6;

/** Follows every term in the order of bytes, so that `term` up to `term` and this is every term that begins so. */
const LAST_CHARACTER = '\u{10ffff}';

/** BM25 over the terms of all versions, computed by the server. */
export function postgresEntryRanker(database: Database, tenant: Tenant): EntryRanker {
  return {
    async rank(request) {
      const parsed = parseQuery(request.query);
      if (parsed.words.length === 0) return [];
      const { limit, offset = 0 } = request.filter;
      const hasPhrases = parsed.phrases.length + parsed.excludedPhrases.length > 0;
      // The order of words is checked in the texts, after which the page is cut out.
      const page = hasPhrases ? { limit: null, offset: 0 } : { limit: limit < 0 ? null : limit, offset };
      const rows = await database.read((sql) => ranked(sql, tenant, { ...request, parsed, page }));
      const found = hasPhrases ? rows.filter((row) => fitsPhrases(parsed, textsOf(row))) : rows;
      const cut = hasPhrases ? found.slice(offset, limit < 0 ? undefined : offset + limit) : found;
      return cut.map(({ id, score }) => ({ id: String(id), score: Number(score) }));
    },
  };
}

interface Ranking extends RankRequest {
  readonly parsed: ParsedQuery;
  readonly page: { readonly limit: number | null; readonly offset: number };
}

/** Words are numbered; each has the first and the last term that it stands for. */
async function ranked(
  sql: Transaction,
  tenant: Tenant,
  { order, filter, parsed, page }: Ranking,
): Promise<readonly Row[]> {
  const required = [...new Set(parsed.phrases.flatMap(({ terms }) => terms))];
  const words =
    required.length > 0
      ? required.map((term) => [term, term])
      : parsed.words.map(({ term, isPrefix }) => [term, isPrefix ? `${term}${LAST_CHARACTER}` : term]);
  const leastMatched = required.length > 0 ? words.length : 1;
  const excluded =
    parsed.excludedTerms.length === 0
      ? sql``
      : sql`and not exists (
          select 1 from ken.version_term x where ${tenantTerm(sql, tenant, 'x')}
            and x.term in ${sql([...parsed.excludedTerms])} and x.entry = h.entry and x.number = h.number)`;
  const hasTexts = parsed.phrases.length + parsed.excludedPhrases.length > 0;
  return sql`
    with word as materialized (
      select w.place, w.pair ->> 0 as first, w.pair ->> 1 as last
      from jsonb_array_elements(${sql.json(words)}) with ordinality w (pair, place)
    ), hit as materialized (
      select w.place, t.entry, t.number, sum(t.weight)::float8 as weight
      from word w
      join ken.version_term t on ${tenantTerm(sql, tenant, 't')} and t.term between w.first and w.last
      group by w.place, t.entry, t.number
    ), idf as (
      select h.place, greatest(${LEAST_IDF}::float8, ln((l.versions - count(*) + 0.5::float8) / (count(*) + 0.5::float8))) as idf,
        l.terms::float8 / l.versions as mean_terms
      from hit h cross join (select * from ken.ledger l where ${tenantTerm(sql, tenant, 'l')}) l
      group by h.place, l.versions, l.terms
    )
    select v.entry as id, ${hasTexts ? sql`v.title, v.tags, v.text, v.provenance,` : sql``}
      sum(i.idf * h.weight * ${K1 + 1}::float8
        / (h.weight + ${K1}::float8 * (1 - ${B}::float8 + ${B}::float8 * v.terms / i.mean_terms))) as score
    from hit h
    join idf i on i.place = h.place
    join ken.version v on v.entry = h.entry and v.number = h.number and ${conditionsOf(sql, tenant, filter)}
    where true ${excluded}
    group by v.team, v.workspace, v.entry, v.number
    having count(*) >= ${leastMatched}
    order by ${order === 'relevance' ? sql`score desc` : sql`v.written desc`}, v.entry
    limit ${page.limit} offset ${page.offset}`;
}

function textsOf({ title, tags, text, provenance }: Row): string[] {
  return [String(title), JSON.stringify(tags), String(text), String(provenance)];
}
