import type { Row } from 'postgres';
import type { Json } from '../../../base/json.ts';
import type {
  Approval,
  ApprovalState,
  Decision,
  DecisionChannel,
  NewApproval,
} from '../../../domain/approvals/approval.ts';
import type { ApprovalFilter, ApprovalStore, Ruling } from '../../../domain/approvals/approval-store.ts';
import { type ApprovalReason, isApprovalReason } from '../../../domain/approvals/reason.ts';
import type { Database, Transaction } from '../seam/database.ts';
import { joined } from '../seam/terms.ts';

/** Approvals of a team. They permit nothing on anybody's own machine. */
export function postgresApprovalStore(database: Database, team: string): ApprovalStore {
  async function found(sql: Transaction, id: string, now: number): Promise<Approval | undefined> {
    const [row] = await sql`
      select a.* from ken.approval a where a.team = ${team} and a.id = ${id}`;
    return row && approvalFrom(row, now);
  }

  /** Expired requests stay expired, even if the clock steps back. */
  async function expireBy(sql: Transaction, now: number): Promise<void> {
    await sql`
      update ken.approval a set status = 'expired'
      where a.team = ${team} and a.status in ('pending', 'approved') and a.expires <= ${now}`;
  }

  return {
    request: (approval) =>
      database.write(async (sql) => {
        await expireBy(sql, approval.created);
        // Waits for another one that asks for the same; the update changes nothing but returns its record.
        const [waiting] = await sql`
          insert into ken.approval ${sql(insertable(team, approval))}
          on conflict (team, workspace, digest) where status = 'pending' do update set digest = excluded.digest
          returning *`;
        return approvalFrom(required(waiting), approval.created);
      }),
    get: (id, now) => database.read((sql) => found(sql, id, now)),
    list: (filter, now) =>
      database.read(async (sql) => {
        const rows = await sql`
          select a.* from ken.approval a where ${conditions(sql, team, filter, now)}
          order by a.created desc, a.id desc limit ${filter.limit ?? null}`;
        return rows.map((row) => approvalFrom(row, now));
      }),
    decide: (ruling) =>
      database.write(async (sql) => {
        const { at } = ruling.decision;
        await expireBy(sql, at);
        const { count } = await sql`
          update ken.approval a set ${sql(decided(ruling))}
          where a.team = ${team} and a.id = ${ruling.id} and a.status = 'pending'`;
        const approval = await found(sql, ruling.id, at);
        return approval && { decided: count === 1, approval };
      }),
    confirm: (id, { by, at, through, signature = null }) =>
      database.write(async (sql) => {
        const decision = { decided_by: by, decided_at: at, decided_through: through, signature };
        await sql`
          update ken.approval a set ${sql(decision)}
          where a.team = ${team} and a.id = ${id} and a.status = 'consumed'`;
      }),
    consume: ({ workspace = '', digest, id }, now) =>
      database.write(async (sql) => {
        await expireBy(sql, now);
        const only = id === undefined ? sql`` : sql`and a.id = ${id}`;
        const [used] = await sql`
          update ken.approval u set status = 'consumed', consumed = ${now}
          where u.team = ${team} and u.id = (
            select a.id from ken.approval a where a.team = ${team} and a.workspace = ${workspace}
              and a.digest = ${digest} and a.status = 'approved' ${only}
            order by a.created, a.id limit 1 for update skip locked
          ) returning u.*`;
        return used && approvalFrom(used, now);
      }),
  };
}

function insertable(team: string, { workspace, reason, request, actor, summary, ...rest }: NewApproval) {
  const { id, digest, created, expires } = rest;
  const content = JSON.stringify({ reason, request, actor, summary });
  return { team, id, workspace: workspace ?? '', digest, content, created, expires, status: 'pending' };
}

function decided({ verdict, decision }: Ruling) {
  const { by, at, through, signature = null, note = null } = decision;
  const status = { approve: 'approved', deny: 'denied', 'approve-and-consume': 'consumed' }[verdict];
  const consumed = status === 'consumed' ? at : null;
  return { status, decided_by: by, decided_at: at, decided_through: through, signature, note, consumed };
}

function conditions(sql: Transaction, team: string, filter: ApprovalFilter, now: number) {
  const { workspace, digest, idPrefix, ids, statuses } = filter;
  const terms = [sql`a.team = ${team}`];
  if (workspace !== undefined) terms.push(sql`a.workspace = ${workspace}`);
  if (digest !== undefined) terms.push(sql`a.digest = ${digest}`);
  if (idPrefix !== undefined) terms.push(sql`starts_with(a.id, ${idPrefix})`);
  if (ids !== undefined) terms.push(sql`a.id in (select jsonb_array_elements_text(${sql.json([...ids])}))`);
  if (statuses !== undefined)
    terms.push(sql`(
      case when a.status in ('pending', 'approved') and a.expires <= ${now} then 'expired' else a.status end
    ) in (select jsonb_array_elements_text(${sql.json([...statuses])}))`);
  return joined(sql, terms, 'and');
}

interface Content {
  readonly reason: unknown;
  readonly request: Json;
  readonly actor: string;
  readonly summary: string;
}

function approvalFrom(row: Row, now: number): Approval {
  const { reason, request, actor, summary } = JSON.parse(String(row.content)) as Content;
  return {
    id: String(row.id),
    workspace: row.workspace === '' ? undefined : String(row.workspace),
    reason: reasonFrom(reason),
    request,
    actor,
    summary,
    digest: String(row.digest),
    created: Number(row.created),
    expires: Number(row.expires),
    state: stateFrom(row, now),
  };
}

function reasonFrom(reason: unknown): ApprovalReason {
  if (isApprovalReason(reason)) return reason;
  throw new Error(`The team's approvals hold no known reason: ${JSON.stringify(reason)}`);
}

function stateFrom(row: Row, now: number): ApprovalState {
  const decision = decisionFrom(row);
  const isOpen = row.status === 'pending' || row.status === 'approved';
  if (row.status === 'expired' || (isOpen && Number(row.expires) <= now))
    return { status: 'expired', decision };
  if (!decision) return { status: 'pending' };
  if (row.status === 'consumed') return { status: 'consumed', decision, consumed: Number(row.consumed) };
  return { status: row.status === 'approved' ? 'approved' : 'denied', decision };
}

function decisionFrom({
  decided_by,
  decided_at,
  decided_through,
  signature,
  note,
}: Row): Decision | undefined {
  if (decided_by === null) return undefined;
  return {
    by: String(decided_by),
    at: Number(decided_at),
    through: String(decided_through) as DecisionChannel,
    ...(typeof note === 'string' && { note }),
    ...(typeof signature === 'string' && { signature }),
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A row that was just written is not there.');
  return value;
}
