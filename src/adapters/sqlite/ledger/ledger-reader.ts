import {
  type Entry,
  type Feedback,
  type KeptCitation,
  NO_FEEDBACK,
  type Seconds,
} from '../../../domain/ledger/entry/entry.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import type { EntryFilter } from '../../../domain/ledger/store.ts';
import { conditionsOf, momentTerm } from './ledger-conditions.ts';
import { citationFrom, entryFrom, feedbackFrom, promotionFrom, VERSION_COLUMNS } from './ledger-rows.ts';
import type { SealedDatabase } from './ledger-seal.ts';

export function ledgerReader({ statement, seal }: SealedDatabase) {
  const citations = (ids: string, at: Seconds | undefined): ReadonlyMap<string, readonly KeptCitation[]> => {
    const found = new Map<string, KeptCitation[]>();
    for (const row of statement(citationsSql(at)).all(momentValues(ids, at))) {
      const entry = String(row.entry);
      const known = found.get(entry) ?? [];
      known.push(asOf(seal.checkedCitation(entry, citationFrom(row), row.verdict_mac), at));
      found.set(entry, known);
    }
    return found;
  };

  function entries(ids: readonly string[], at?: Seconds): Entry[] {
    const wanted = JSON.stringify(ids);
    const found = statement(entriesSql(at)).all(momentValues(wanted, at));
    const cited = found.length > 0 ? citations(wanted, at) : undefined;
    return found.map((row) =>
      seal.checkedVersion(entryFrom(row, cited?.get(String(row.entry)) ?? []), row.mac),
    );
  }

  function promotion(eventId: string): Promotion | undefined {
    const row = statement('select * from promotion where event_id = ?').get(eventId);
    return row && seal.checkedPromotion(promotionFrom(row), row.mac);
  }

  return {
    entries,
    promotion,
    feedback(id: string): Feedback {
      const row = statement('select retrieved, helped, hurt from feedback where entry = ?').get(id);
      return row ? feedbackFrom(row) : NO_FEEDBACK;
    },
    /** The promotion of a procedural entry. */
    promotionBehind(entry: Entry | undefined): Promotion | undefined {
      const eventId = /^event:(.+)$/.exec(entry?.provenance ?? '')?.[1];
      return eventId === undefined ? undefined : promotion(eventId);
    },
    /** Checks first whether the entry exists, since most ids that are looked up do not. */
    entry: (id: string): Entry | undefined =>
      statement('select 1 from entry where id = ?').get(id) && entries([id])[0],
    holder(key: string): Entry | undefined {
      const row = statement(
        "select entry from version where merge_key = ? and status = 'active' and until is null",
      ).get(key);
      return row && entries([String(row.entry)])[0];
    },
    list(filter: EntryFilter): Entry[] {
      const { sql, values } = conditionsOf(filter);
      const select = `select v.entry from version v where ${sql}
        order by v.created desc, v.entry limit :limit offset :offset`;
      const { limit, offset = 0 } = filter;
      const found = statement(select).all({ ...values, limit, offset });
      return entries(
        found.map(({ entry }) => String(entry)),
        filter.at,
      );
    },
  };
}

/** Leaves out later verdicts. */
function asOf(citation: KeptCitation, at: Seconds | undefined): KeptCitation {
  const isKnown = at === undefined || citation.verified === undefined || citation.verified.at <= at;
  return isKnown ? citation : { ...citation, verified: undefined };
}

function momentValues(ids: string, at: Seconds | undefined) {
  return at === undefined ? { ids } : { ids, at };
}

function entriesSql(at: Seconds | undefined): string {
  const known = at === undefined ? '' : 'and later.created <= :at';
  return `
    select ${VERSION_COLUMNS}, f.retrieved, f.helped, f.hurt,
      case v.status when 'superseded' then (
        select id from entry later where later.supersedes = e.id ${known}
        order by later.created desc, later.id desc limit 1
      ) end as superseded_by
    from json_each(:ids) wanted
    cross join entry e on e.id = wanted.value
    cross join version v on v.entry = e.id and ${momentTerm(at)}
    left join feedback f on f.entry = e.id
    order by wanted.key`;
}

function citationsSql(at: Seconds | undefined): string {
  return `
    select c.* from json_each(:ids) wanted cross join citation c on c.entry = wanted.value
    ${
      at === undefined
        ? 'where c.until_number is null'
        : `cross join version v on v.entry = c.entry and ${momentTerm(at)}
    where c.number <= v.number and (c.until_number is null or c.until_number > v.number)`
    }
    order by c.entry, c.place`;
}
