import type { VerdictsRequest } from '../../domain/ledger/plan-verdicts.ts';
import type { Database } from './database.ts';

/** Citations remember what was found about them, and those that are fixed are rewritten; inside a transaction. */
export function keepVerdicts({ statement }: Database, { checked, stamp }: VerdictsRequest): void {
  for (const { id, provenance, verdict, movedTo, isFixed } of checked) {
    const citation = { id, provenance, at: stamp.at };
    if (!isFixed || movedTo === undefined) {
      statement(KEEP_VERDICT).run({ ...citation, verdict });
    } else {
      // The new place may have been cited before; two citations of one place would say the same.
      statement('delete from citation where entry = ? and provenance = ?').run(id, movedTo);
      statement(FIX_CITATION).run({ ...citation, moved: movedTo });
    }
  }
}

const KEEP_VERDICT = `
  update citation set verdict = :verdict, verified = :at where entry = :id and provenance = :provenance`;
const FIX_CITATION = `
  update citation set provenance = :moved, verdict = 'ok', verified = :at
  where entry = :id and provenance = :provenance`;
