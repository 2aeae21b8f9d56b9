import {
  type Entry,
  type EntryVersion,
  type Feedback,
  type KeptCitation,
  NO_FEEDBACK,
  type Seconds,
} from '../../../domain/ledger/entry/entry.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import type { EntryFilter } from '../../../domain/ledger/store.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { conditionsOf, momentTerm } from './ledger-conditions.ts';
import {
  citationFrom,
  entryFrom,
  feedbackFrom,
  promotionFrom,
  versionColumns,
  versionFrom,
} from './ledger-rows.ts';

export type LedgerReading = ReturnType<typeof ledgerReader>;

/** Reads a ledger within one transaction. */
export function ledgerReader(sql: Transaction, tenant: Tenant) {
  const ours = (alias: string) => tenantTerm(sql, tenant, alias);
  const wantedIds = (ids: readonly string[]) =>
    sql`jsonb_array_elements_text(${sql.json([...ids])}) with ordinality wanted (id, place)`;

  async function entries(ids: readonly string[], at?: Seconds): Promise<Entry[]> {
    if (ids.length === 0) return [];
    const known = at === undefined ? sql`` : sql`and later.created <= ${at}`;
    const rows = await sql`
      select ${versionColumns(sql)}, f.retrieved, f.helped, f.hurt,
        case v.status when 'superseded' then (
          select later.id from ken.entry later where ${ours('later')} and later.supersedes = e.id ${known}
          order by later.created desc, later.id desc limit 1
        ) end as superseded_by
      from ${wantedIds(ids)}
      join ken.entry e on ${ours('e')} and e.id = wanted.id
      join ken.version v on ${ours('v')} and v.entry = e.id and ${momentTerm(sql, at)}
      left join ken.feedback f on ${ours('f')} and f.entry = e.id
      order by wanted.place`;
    if (rows.length === 0) return [];
    const cited = await citationsInForce(ids, at);
    return rows.map((row) => entryFrom(row, cited.get(String(row.entry)) ?? []));
  }

  async function citationsInForce(
    ids: readonly string[],
    at: Seconds | undefined,
  ): Promise<ReadonlyMap<string, readonly KeptCitation[]>> {
    const inForce =
      at === undefined
        ? sql`where c.until_number is null`
        : sql`
          join ken.version v on ${ours('v')} and v.entry = c.entry and ${momentTerm(sql, at)}
          where c.number <= v.number and (c.until_number is null or c.until_number > v.number)`;
    const rows = await sql`
      select c.* from ${wantedIds([...new Set(ids)])}
      join ken.citation c on ${ours('c')} and c.entry = wanted.id ${inForce} order by c.entry, c.place`;
    const found = Map.groupBy(rows, ({ entry }) => String(entry));
    return new Map(
      [...found].map(([entry, cited]) => [entry, cited.map((row) => asOf(citationFrom(row), at))]),
    );
  }

  async function promotions(eventIds: readonly string[]): Promise<Promotion[]> {
    const rows = await sql`
      select p.* from ${wantedIds(eventIds)} join ken.promotion p on ${ours('p')} and p.event_id = wanted.id`;
    const found = new Map(rows.map((row) => [String(row.event_id), promotionFrom(row)]));
    return eventIds.flatMap((eventId) => found.get(eventId) ?? []);
  }

  return {
    entries,
    promotions,
    async feedback(ids: readonly string[]): Promise<(id: string) => Feedback> {
      const rows = await sql`
        select f.* from ${wantedIds(ids)} join ken.feedback f on ${ours('f')} and f.entry = wanted.id`;
      const found = new Map(rows.map((row) => [String(row.entry), feedbackFrom(row)]));
      return (id) => found.get(id) ?? NO_FEEDBACK;
    },
    /** The promotion of a procedural entry. */
    async promotionBehind(entry: Entry | undefined): Promise<Promotion | undefined> {
      const eventId = /^event:(.+)$/.exec(entry?.provenance ?? '')?.[1];
      return eventId === undefined ? undefined : (await promotions([eventId]))[0];
    },
    entry: async (id: string): Promise<Entry | undefined> => (await entries([id]))[0],
    async holder(key: string | undefined): Promise<Entry | undefined> {
      if (key === undefined) return undefined;
      const [row] = await sql`
        select v.entry from ken.version v
        where ${ours('v')} and v.merge_key = ${key} and v.status = 'active' and v.until is null`;
      return row && (await entries([String(row.entry)]))[0];
    },
    async list(filter: EntryFilter): Promise<Entry[]> {
      const { limit, offset = 0 } = filter;
      const rows = await sql`
        select v.entry from ken.version v where ${conditionsOf(sql, tenant, filter)}
        order by v.created desc, v.entry limit ${limit < 0 ? null : limit} offset ${offset}`;
      return entries(
        rows.map(({ entry }) => String(entry)),
        filter.at,
      );
    },
    /** All versions of the entries, by id and number. */
    async versions(ids: readonly string[]): Promise<EntryVersion[]> {
      const rows = await sql`
        select ${versionColumns(sql)} from ${wantedIds([...new Set(ids)])}
        join ken.entry e on ${ours('e')} and e.id = wanted.id
        join ken.version v on ${ours('v')} and v.entry = e.id order by v.entry, v.number`;
      return rows.map(versionFrom);
    },
  };
}

/** Leaves out later verdicts. */
function asOf(citation: KeptCitation, at: Seconds | undefined): KeptCitation {
  const isKnown = at === undefined || citation.verified === undefined || citation.verified.at <= at;
  return isKnown ? citation : { ...citation, verified: undefined };
}
