import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Json } from '../../../base/json.ts';
import type {
  Approval,
  ApprovalState,
  Decision,
  DecisionChannel,
  NewApproval,
} from '../../../domain/approvals/approval.ts';
import type { ApprovalFilter, ApprovalStore, Ruling } from '../../../domain/approvals/approval-store.ts';
import type { NewLogEntry } from '../../../domain/approvals/lock/decision-log.ts';
import { type ApprovalReason, isApprovalReason } from '../../../domain/approvals/reason.ts';
import type { Database } from '../seam/database.ts';
import type { Journal } from './decision-log.ts';

export function sqliteApprovalStore(database: Database, journal?: Journal): ApprovalStore {
  const { statement } = database;

  function read(id: string, now: number): Approval | undefined {
    const row = statement(`${SELECT} where id = :id`).get({ id, now });
    return row && approvalFrom(row);
  }

  /** Expired requests stay expired, even if the clock steps back. */
  function expireBy(now: number): void {
    statement(
      "update approval set status = 'expired' where status in ('pending', 'approved') and expires <= ?",
    ).run(now);
  }

  return {
    request: (approval) =>
      database.write(() => {
        expireBy(approval.created);
        const waiting = statement(
          "select id from approval where digest = ? and workspace is ? and status = 'pending'",
        ).get(approval.digest, approval.workspace ?? null);
        if (!waiting) database.insert('approval', insertable(approval));
        return required(read(String(waiting?.id ?? approval.id), approval.created));
      }),
    get: (id, now) => database.read(() => read(id, now)),
    list: (filter, now) =>
      database.read(() => {
        const { where, values } = conditions(filter);
        const order = 'order by created desc, id desc limit :limit';
        return statement(`select * from (${SELECT}) ${where} ${order}`)
          .all({ now, limit: filter.limit ?? -1, ...values })
          .map(approvalFrom);
      }),
    decide: (ruling) =>
      database.write(() => {
        const { at } = ruling.decision;
        expireBy(at);
        const { changes } = statement(DECIDE).run(decided(ruling));
        const approval = read(ruling.id, at);
        if (approval && changes === 1) journal?.(entryFor(ruling, approval));
        return approval && { decided: changes === 1, approval };
      }),
    confirm: (id, { by, at, through, signature = null }) =>
      database.write(() => {
        const { changes } = statement(CONFIRM).run({ id, by, at, through, signature });
        if (changes === 1) journal?.({ at, act: 'sign', subject: id, digest: null, by, through });
      }),
    consume: ({ workspace, digest, id }, now) =>
      database.write(() => {
        expireBy(now);
        const used = statement(CONSUME).get({ workspace: workspace ?? null, digest, now, id: id ?? null });
        return used && read(String(used.id), now);
      }),
  };
}

const SELECT = `
  select id, workspace, reason, request, actor, summary, digest, created, expires, decided_by, decided_at,
    decided_through, consumed, signature, note,
    case when status in ('pending', 'approved') and expires <= :now then 'expired' else status end as status
  from approval`;
const DECIDE = `
  update approval set status = :status, decided_by = :by, decided_at = :at, decided_through = :through,
    consumed = :consumed, signature = :signature, note = :note
  where id = :id and status = 'pending'`;
const CONFIRM = `
  update approval set decided_by = :by, decided_at = :at, decided_through = :through, signature = :signature
  where id = :id and status = 'consumed'`;
const CONSUME = `
  update approval set status = 'consumed', consumed = :now
  where id = (
    select id from approval where digest = :digest and workspace is :workspace and status = 'approved'
      and (:id is null or id = :id)
    order by created, id limit 1
  ) returning id`;

function entryFor({ verdict, decision }: Ruling, { id, digest }: Approval): NewLogEntry {
  const { at, by, through } = decision;
  return { at, act: verdict === 'deny' ? 'deny' : 'approve', subject: id, digest, by, through };
}

function insertable({ workspace, reason, request, ...rest }: NewApproval): Record<string, SQLInputValue> {
  const { id, actor, summary, digest, created, expires } = rest;
  const json = { reason: JSON.stringify(reason), request: JSON.stringify(request) };
  const row = { id, actor, summary, digest, created, expires, workspace: workspace ?? null, ...json };
  return { ...row, status: 'pending' };
}

function decided({ id, verdict, decision }: Ruling): Record<string, SQLInputValue> {
  const { by, at, through, signature = null, note = null } = decision;
  const status = { approve: 'approved', deny: 'denied', 'approve-and-consume': 'consumed' }[verdict];
  return { id, status, by, at, through, signature, note, consumed: status === 'consumed' ? at : null };
}

function conditions(filter: ApprovalFilter): { where: string; values: Record<string, SQLInputValue> } {
  const values: Record<string, SQLInputValue> = {};
  const terms: string[] = [];
  const add = (term: string, name: string, value: string | undefined) => {
    if (value === undefined) return;
    terms.push(term);
    values[name] = value;
  };
  add('workspace = :workspace', 'workspace', filter.workspace);
  add('digest = :digest', 'digest', filter.digest);
  add('substr(id, 1, length(:prefix)) = :prefix', 'prefix', filter.idPrefix);
  add('id in (select value from json_each(:ids))', 'ids', filter.ids && JSON.stringify(filter.ids));
  add(
    'status in (select value from json_each(:statuses))',
    'statuses',
    filter.statuses && JSON.stringify(filter.statuses),
  );
  return { where: terms.length > 0 ? `where ${terms.join(' and ')}` : '', values };
}

type Row = Record<string, SQLOutputValue>;

function approvalFrom(row: Row): Approval {
  return {
    id: String(row.id),
    workspace: row.workspace === null ? undefined : String(row.workspace),
    reason: reasonFrom(String(row.reason)),
    request: JSON.parse(String(row.request)) as Json,
    actor: String(row.actor),
    summary: String(row.summary),
    digest: String(row.digest),
    created: Number(row.created),
    expires: Number(row.expires),
    state: stateFrom(row),
  };
}

function reasonFrom(text: string): ApprovalReason {
  const reason: unknown = JSON.parse(text);
  if (isApprovalReason(reason)) return reason;
  throw new Error(`The approvals database holds no known reason: ${text}`);
}

function stateFrom(row: Row): ApprovalState {
  const decision = decisionFrom(row);
  const status = String(row.status);
  if (status === 'expired') return { status, decision };
  if (!decision) return { status: 'pending' };
  if (status === 'consumed') return { status, decision, consumed: Number(row.consumed) };
  return { status: status === 'approved' ? 'approved' : 'denied', decision };
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
