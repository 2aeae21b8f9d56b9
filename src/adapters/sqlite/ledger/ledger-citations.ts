import { withCited, withFixed } from '../../../domain/ledger/entry/citations.ts';
import type { Citation, EntryVersion, KeptCitation } from '../../../domain/ledger/entry/entry.ts';
import { fixesByEntry, type VerdictsRequest } from '../../../domain/ledger/plans/plan-verdicts.ts';
import { citationFrom, citationValues } from './ledger-rows.ts';
import type { SealedDatabase } from './ledger-seal.ts';

export function ledgerCitations({ statement, insert, seal }: SealedDatabase) {
  function known(id: string): KeptCitation[] {
    return statement('select * from citation where entry = ? order by place, number')
      .all(id)
      .map((row) => seal.checkedCitation(id, citationFrom(row), row.verdict_mac));
  }

  /** Replaces all citations that the entry ever had. */
  function replace(id: string, citations: readonly KeptCitation[]): void {
    statement('delete from citation where entry = ?').run(id);
    append(id, 0, citations);
  }

  function append(id: string, last: number, citations: readonly KeptCitation[]): void {
    for (const [at, citation] of citations.entries()) {
      const verdict_mac = citation.verified ? seal.verdict(id, citation, citation.verified) : null;
      insert('citation', { ...citationValues(id, citation), verdict_mac, place: last + at + 1 });
    }
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
      for (const { id, provenance, verdict, isFixed } of checked) {
        const row = isFixed ? undefined : statement(IN_FORCE).get({ id, provenance });
        if (!row) continue;
        const found = { verdict, at: stamp.at };
        statement(KEEP_VERDICT).run({
          id,
          provenance,
          ...found,
          mac: seal.verdict(id, citationFrom(row), found),
        });
      }
      for (const [id, fixes] of fixesByEntry(checked)) {
        const number = Number(
          statement('select max(number) as number from version where entry = ?').get(id)?.number,
        );
        replace(id, withFixed(known(id), fixes, number, stamp.at));
      }
    },
  };
}

const IN_FORCE =
  'select * from citation where entry = :id and provenance = :provenance and until_number is null';
const KEEP_VERDICT = `
  update citation set verdict = :verdict, verified = :at, verdict_mac = :mac
  where entry = :id and provenance = :provenance and until_number is null`;
