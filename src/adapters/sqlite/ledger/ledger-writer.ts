import type { EntryVersion, Feedback } from '../../../domain/ledger/entry/entry.ts';
import { LEDGER_FILES, type LedgerEvent } from '../../../domain/ledger/entry/ledger-event.ts';
import type { LedgerChange } from '../../../domain/ledger/plans/plan-add.ts';
import type { RetrievalRequest } from '../../../domain/ledger/plans/plan-retrieval.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { INSERT_TERMS, promotionFrom, promotionValues, termValues, versionValues } from './ledger-rows.ts';
import type { SealedDatabase } from './ledger-seal.ts';

export function ledgerWriter(database: SealedDatabase) {
  const { statement, insert, seal } = database;
  const { cite } = ledgerCitations(database);
  const change = promotionChanger(database);

  function putVersion(version: EntryVersion): void {
    const { id, createdAt, supersedes, updatedAt } = version;
    if (version.version === 1) {
      statement('insert into entry values (?, ?, ?)').run(id, createdAt, supersedes ?? null);
    } else {
      statement('update version set until = ? where entry = ? and until is null').run(updatedAt, id);
    }
    const row = { ...versionValues(version), mac: seal.version(version) };
    statement(INSERT_TERMS).run(insert('version', row), ...termValues(version));
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
      mac: seal.event(event),
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
      change(consumes.eventId, { consumedBy: consumes.entryId });
    },
    changePromotion: change,
    putPromotion(promotion: Promotion): void {
      insert('promotion', { ...promotionValues(promotion), mac: seal.promotion(promotion) });
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

function promotionChanger({ statement, seal }: SealedDatabase) {
  return (eventId: string, change: Partial<Pick<Promotion, 'consumedBy' | 'isRevoked'>>): void => {
    const row = statement('select * from promotion where event_id = ?').get(eventId);
    if (!row) return;
    const next = { ...seal.checkedPromotion(promotionFrom(row), row.mac), ...change };
    const values = [next.consumedBy ?? null, next.isRevoked ? 1 : 0, seal.promotion(next), eventId];
    statement('update promotion set consumed_by = ?, is_revoked = ?, mac = ? where event_id = ?').run(
      ...values,
    );
  };
}

const COUNT_RETRIEVAL = `
  insert into feedback (entry, retrieved, helped, hurt) values (:id, 1, :helped, :hurt)
  on conflict (entry) do update set
    retrieved = retrieved + 1, helped = helped + excluded.helped, hurt = hurt + excluded.hurt`;
