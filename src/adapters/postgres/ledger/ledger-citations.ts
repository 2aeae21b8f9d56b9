import { withCited, withFixed } from '../../../domain/ledger/entry/citations.ts';
import type { Citation, EntryVersion, KeptCitation } from '../../../domain/ledger/entry/entry.ts';
import { fixesByEntry, type VerdictsRequest } from '../../../domain/ledger/plans/plan-verdicts.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { citationFrom, citationValues } from './ledger-rows.ts';

/** Reads and writes the citations of a ledger within one transaction. */
export function ledgerCitations(sql: Transaction, tenant: Tenant) {
  const ours = tenantTerm(sql, tenant, 'c');

  async function known(id: string): Promise<KeptCitation[]> {
    const rows = await sql`
      select c.* from ken.citation c where ${ours} and c.entry = ${id} order by c.place, c.number`;
    return rows.map(citationFrom);
  }

  /** Replaces all citations that the entry ever had. */
  async function replace(id: string, citations: readonly KeptCitation[]): Promise<void> {
    await sql`delete from ken.citation c where ${ours} and c.entry = ${id}`;
    await append(id, 0, citations);
  }

  async function append(id: string, last: number, citations: readonly KeptCitation[]): Promise<void> {
    if (citations.length === 0) return;
    const rows = citations.map((each, at) => ({ ...tenant, ...citationValues(id, last + at + 1, each) }));
    await sql`insert into ken.citation ${sql(rows)}`;
  }

  async function highest(column: 'place' | 'number', id: string): Promise<number> {
    const [row] =
      column === 'place'
        ? await sql`select max(c.place) as highest from ken.citation c where ${ours} and c.entry = ${id}`
        : await sql`
          select max(v.number) as highest from ken.version v
          where ${tenantTerm(sql, tenant, 'v')} and v.entry = ${id}`;
    return Number(row?.highest);
  }

  return {
    known,
    replace,
    async cite(
      version: EntryVersion,
      cited: readonly (Citation & { readonly citedBy: string })[],
    ): Promise<void> {
      const before = version.version === 1 ? [] : await known(version.id);
      const after = withCited(before, cited, version);
      const isAppended = before.every((each, at) => each === after[at]);
      if (!isAppended) return replace(version.id, after);
      const last = before.length === 0 ? 0 : await highest('place', version.id);
      await append(version.id, last, after.slice(before.length));
    },
    /** Records verdicts, and rewrites fixed citations. */
    async keepVerdicts({ checked, stamp }: VerdictsRequest): Promise<void> {
      for (const { id, provenance, verdict, isFixed } of checked)
        if (!isFixed)
          await sql`
            update ken.citation c set verdict = ${verdict}, verified = ${stamp.at}
            where ${ours} and c.entry = ${id} and c.provenance = ${provenance} and c.until_number is null`;
      for (const [id, fixes] of fixesByEntry(checked))
        await replace(id, withFixed(await known(id), fixes, await highest('number', id), stamp.at));
    },
  };
}
