import type { EntryVersion, Feedback } from '../../../domain/ledger/entry/entry.ts';
import { LEDGER_FILES, type LedgerEvent } from '../../../domain/ledger/entry/ledger-event.ts';
import type { LedgerChange } from '../../../domain/ledger/plans/plan-add.ts';
import type { RetrievalRequest } from '../../../domain/ledger/plans/plan-retrieval.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import type { Database } from '../seam/database.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { INSERT_TERMS, promotionValues, termValues, versionValues } from './ledger-rows.ts';

export function ledgerWriter(database: Database) {
  const { statement, insert } = database;
  const { cite } = ledgerCitations(database);

  function putVersion(version: EntryVersion): void {
    const { id, createdAt, supersedes, updatedAt } = version;
    if (version.version === 1) {
      statement('insert into entry values (?, ?, ?)').run(id, createdAt, supersedes ?? null);
    } else {
      statement('update version set until = ? where entry = ? and until is null').run(updatedAt, id);
    }
    statement(INSERT_TERMS).run(insert('version', versionValues(version)), ...termValues(version));
  }

  /** `about`: entries whose history shows the event. */
  function record(event: LedgerEvent, about: readonly string[]): void {
    const { eventId, at, type, actor, run, data, changes } = event;
    const file = LEDGER_FILES[type] ?? null;
    const position = insert('event', {
      id: eventId,
      at,
      type,
      actor,
      run,
      data: JSON.stringify(data),
      changes: JSON.stringify(changes),
      file,
      is_in_file: file === null ? 1 : 0,
    });
    for (const id of new Set(about)) insert('event_entry', { entry: id, event: position });
  }

  return {
    record,
    apply({ versions, citations, event, consumes, about = [] }: LedgerChange): void {
      for (const version of versions) putVersion(version);
      const subject = versions.at(-1);
      const citedBy = event.actor;
      if (subject && citations.length > 0)
        cite(
          subject,
          citations.map((citation) => ({ ...citation, citedBy })),
        );
      record(event, [...versions.map(({ id }) => id), ...about]);
      if (!consumes) return;
      const { eventId, entryId } = consumes;
      statement('update promotion set consumed_by = ? where event_id = ?').run(entryId, eventId);
    },
    putPromotion(promotion: Promotion): void {
      insert('promotion', promotionValues(promotion));
    },
    putFeedback(id: string, { retrieved, helped, hurt }: Feedback): void {
      insert('feedback', { entry: id, retrieved, helped, hurt });
    },
    countRetrieval({ returnedIds, usedIds, outcome }: RetrievalRequest): void {
      for (const id of new Set(returnedIds)) {
        const isUsed = usedIds.includes(id);
        statement(COUNT_RETRIEVAL).run({
          id,
          helped: isUsed && outcome === 'helped' ? 1 : 0,
          hurt: isUsed && outcome === 'hurt' ? 1 : 0,
        });
      }
    },
  };
}

const COUNT_RETRIEVAL = `
  insert into feedback (entry, retrieved, helped, hurt) values (:id, 1, :helped, :hurt)
  on conflict (entry) do update set
    retrieved = retrieved + 1, helped = helped + excluded.helped, hurt = hurt + excluded.hurt`;
