import { withCited, withFixed } from '../../../domain/ledger/entry/citations.ts';
import type { Citation, EntryVersion, KeptCitation } from '../../../domain/ledger/entry/entry.ts';
import { fixesByEntry, type VerdictsRequest } from '../../../domain/ledger/plans/plan-verdicts.ts';
import type { Database } from '../seam/database.ts';
import { citationFrom, citationValues } from './ledger-rows.ts';

export function ledgerCitations({ statement, insert }: Database) {
  function known(id: string): KeptCitation[] {
    return statement('select * from citation where entry = ? order by place, number')
      .all(id)
      .map(citationFrom);
  }

  /** Replaces all citations that the entry ever had. */
  function replace(id: string, citations: readonly KeptCitation[]): void {
    statement('delete from citation where entry = ?').run(id);
    append(id, 0, citations);
  }

  function append(id: string, last: number, citations: readonly KeptCitation[]): void {
    for (const [at, citation] of citations.entries())
      insert('citation', { ...citationValues(id, citation), place: last + at + 1 });
  }

  function lastPlace(id: string): number {
    return Number(statement('select max(place) as place from citation where entry = ?').get(id)?.place);
  }

  return {
    known,
    replace,
    cite(version: EntryVersion, cited: readonly (Citation & { readonly citedBy: string })[]): void {
      const before = version.version === 1 ? [] : known(version.id);
      const after = withCited(before, cited, version);
      const isAppended = before.every((each, at) => each === after[at]);
      if (isAppended)
        append(version.id, before.length === 0 ? 0 : lastPlace(version.id), after.slice(before.length));
      else replace(version.id, after);
    },
    /** Records verdicts, and rewrites fixed citations. */
    keepVerdicts({ checked, stamp }: VerdictsRequest): void {
      for (const { id, provenance, verdict, isFixed } of checked)
        if (!isFixed) statement(KEEP_VERDICT).run({ id, provenance, verdict, at: stamp.at });
      for (const [id, fixes] of fixesByEntry(checked)) {
        const number = Number(
          statement('select max(number) as number from version where entry = ?').get(id)?.number,
        );
        replace(id, withFixed(known(id), fixes, number, stamp.at));
      }
    },
  };
}

const KEEP_VERDICT = `
  update citation set verdict = :verdict, verified = :at
  where entry = :id and provenance = :provenance and until_number is null`;
