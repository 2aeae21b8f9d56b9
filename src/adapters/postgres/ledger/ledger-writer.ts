import type { EntryVersion, Feedback } from '../../../domain/ledger/entry/entry.ts';
import type { LedgerEvent } from '../../../domain/ledger/entry/ledger-event.ts';
import type { LedgerChange } from '../../../domain/ledger/plans/plan-add.ts';
import type { RetrievalRequest } from '../../../domain/ledger/plans/plan-retrieval.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { versionTerms, versionValues } from './ledger-rows.ts';

export type LedgerWriting = Awaited<ReturnType<typeof ledgerWriter>>;

/** Locks the ledger until the transaction ends, so that its writers take turns, and writes to it. */
export async function ledgerWriter(sql: Transaction, tenant: Tenant) {
  const { team, workspace } = tenant;
  const { cite } = ledgerCitations(sql, tenant);
  const ours = (alias: string) => tenantTerm(sql, tenant, alias);
  const [locked] = await sql`
    insert into ken.ledger as l (team, workspace, position, versions, terms)
    values (${team}, ${workspace}, 0, 0, 0)
    on conflict (team, workspace) do update set position = l.position returning l.position`;
  const counted = { position: Number(locked?.position), versions: 0, terms: 0 };

  async function putVersion(version: EntryVersion): Promise<void> {
    const { id, createdAt, supersedes, updatedAt } = version;
    if (version.version === 1)
      await sql`insert into ken.entry ${sql({ team, workspace, id, created: createdAt, supersedes: supersedes ?? null })}`;
    else
      await sql`
        update ken.version v set until = ${updatedAt} where ${ours('v')} and v.entry = ${id} and v.until is null`;
    const { weights, count } = versionTerms(version);
    await sql`insert into ken.version ${sql({ ...versionValues(tenant, sql, version), terms: count })}`;
    if (weights.size > 0)
      await sql`
        insert into ken.version_term (team, workspace, term, entry, number, weight)
        select ${team}, ${workspace}, pair ->> 0, ${id}, ${version.version}, (pair ->> 1)::integer
        from jsonb_array_elements(${sql.json([...weights])}) pair`;
    counted.versions++;
    counted.terms += count;
  }

  /** `about`: entries whose history shows the event. */
  async function record(event: LedgerEvent, about: readonly string[]): Promise<void> {
    const { eventId, at, type, actor, run, data, changes } = event;
    const position = ++counted.position;
    const json = { data: JSON.stringify(data), changes: JSON.stringify(changes) };
    await sql`insert into ken.event ${sql({ team, workspace, position, id: eventId, at, type, actor, run, ...json })}`;
    const rows = [...new Set(about)].map((entry) => ({ team, workspace, entry, event: position }));
    if (rows.length > 0) await sql`insert into ken.event_entry ${sql(rows)}`;
  }

  return {
    record,
    async apply({ versions, citations, event, consumes, about = [] }: LedgerChange): Promise<void> {
      for (const version of versions) await putVersion(version);
      const subject = versions.at(-1);
      const citedBy = event.actor;
      if (subject && citations.length > 0)
        await cite(
          subject,
          citations.map((citation) => ({ ...citation, citedBy })),
        );
      await record(event, [...versions.map(({ id }) => id), ...about]);
      if (consumes)
        await sql`
          update ken.promotion p set consumed_by = ${consumes.entryId}
          where ${ours('p')} and p.event_id = ${consumes.eventId}`;
    },
    ...promotionWriter(sql, tenant),
    ...feedbackWriter(sql, tenant),
    /** Records how much was written; the last statement of the transaction. */
    async finish(): Promise<void> {
      const { position, versions, terms } = counted;
      await sql`
        update ken.ledger l set position = ${position}, versions = l.versions + ${versions}, terms = l.terms + ${terms}
        where ${ours('l')}`;
    },
  };
}

function promotionWriter(sql: Transaction, tenant: Tenant) {
  const { team, workspace } = tenant;
  return {
    async putPromotion(promotion: Promotion): Promise<void> {
      const row = {
        ...{ team, workspace, event_id: promotion.eventId, at: promotion.at, source: promotion.sourceId },
        ...{ target_class: promotion.targetClass, evidence: JSON.stringify(promotion.evidence) },
        ...{ reason: promotion.reason, text_sha256: promotion.textSha256, approver: promotion.approver },
        ...{ approval_id: promotion.approvalId ?? null, consumed_by: promotion.consumedBy ?? null },
      };
      await sql`insert into ken.promotion ${sql(row)}`;
    },
    async revokePromotion(eventId: string): Promise<void> {
      await sql`update ken.promotion p set is_revoked = true where ${tenantTerm(sql, tenant, 'p')} and p.event_id = ${eventId}`;
    },
  };
}

function feedbackWriter(sql: Transaction, { team, workspace }: Tenant) {
  return {
    async putFeedback(id: string, { retrieved, helped, hurt }: Feedback): Promise<void> {
      await sql`insert into ken.feedback ${sql({ team, workspace, entry: id, retrieved, helped, hurt })}`;
    },
    async countRetrieval({ returnedIds, usedIds, outcome }: RetrievalRequest): Promise<void> {
      const rows = [...new Set(returnedIds)].map((entry) => {
        const isUsed = usedIds.includes(entry);
        const counts = {
          helped: Number(isUsed && outcome === 'helped'),
          hurt: Number(isUsed && outcome === 'hurt'),
        };
        return { team, workspace, entry, retrieved: 1, ...counts };
      });
      if (rows.length === 0) return;
      await sql`
        insert into ken.feedback ${sql(rows)}
        on conflict (team, workspace, entry) do update set
          retrieved = feedback.retrieved + 1, helped = feedback.helped + excluded.helped,
          hurt = feedback.hurt + excluded.hurt`;
    },
  };
}
