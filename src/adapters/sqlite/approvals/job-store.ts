import type { SQLOutputValue } from 'node:sqlite';
import type { Job, JobEnd, JobProgress, JobState } from '../../../domain/approvals/job.ts';
import type { JobStore } from '../../../domain/approvals/job-store.ts';
import type { Database } from '../seam/database.ts';

export function sqliteJobStore(database: Database): JobStore {
  const { statement } = database;
  return {
    start: ({ id, workspace, title, owner, started }) =>
      database.write(() => {
        const row = { id, workspace: workspace ?? null, title, owner, started };
        return statement(START).run(row).changes === 1;
      }),
    report: (id, progress, now) =>
      database.write(() => {
        const update = statement(
          "update job set progress = ?, updated = ? where id = ? and status = 'running'",
        );
        update.run(JSON.stringify(progress), now, id);
        const row = statement('select is_cancel_requested from job where id = ?').get(id);
        return { isCancelRequested: row?.is_cancel_requested === 1 };
      }),
    requestCancel: (id) =>
      database.write(() => {
        const cancel = statement(
          "update job set is_cancel_requested = 1 where id = ? and status = 'running'",
        );
        return cancel.run(id).changes === 1;
      }),
    finish: (id, end) =>
      database.write(() => {
        const { status, finished } = end;
        return statement(FINISH).run({ id, status, finished, outcome: outcomeOf(end) }).changes === 1;
      }),
    get: (id) =>
      database.read(() => {
        const row = statement('select * from job where id = ?').get(id);
        return row && jobFrom(row);
      }),
    list: ({ workspace, isRunning, limit }) =>
      database.read(() =>
        statement(`
          select * from job
          where (:workspace is null or workspace = :workspace) and (:running = 0 or status = 'running')
          order by started desc, id desc limit :limit`)
          .all({ workspace: workspace ?? null, running: isRunning ? 1 : 0, limit: limit ?? -1 })
          .map(jobFrom),
      ),
  };
}

const START = `
  insert into job (id, workspace, title, owner, started, updated, status)
  values (:id, :workspace, :title, :owner, :started, :started, 'running') on conflict (id) do nothing`;
const FINISH = `
  update job set status = :status, finished = :finished, updated = :finished, outcome = :outcome
  where id = :id and status = 'running'`;

/** JSON of the result, or the message of the failure. */
function outcomeOf(end: JobEnd): string | null {
  if (end.status === 'done') return JSON.stringify(end.result);
  return end.status === 'failed' ? end.message : null;
}

function jobFrom(row: Record<string, SQLOutputValue>): Job {
  return {
    id: String(row.id),
    workspace: row.workspace === null ? undefined : String(row.workspace),
    title: String(row.title),
    owner: String(row.owner),
    started: Number(row.started),
    updated: Number(row.updated),
    progress: row.progress === null ? undefined : (JSON.parse(String(row.progress)) as JobProgress),
    isCancelRequested: row.is_cancel_requested === 1,
    state: stateFrom(row),
  };
}

function stateFrom({ status, finished, outcome }: Record<string, SQLOutputValue>): JobState {
  const at = Number(finished);
  if (status === 'done') return { status, finished: at, result: JSON.parse(String(outcome)) };
  if (status === 'failed') return { status, finished: at, message: String(outcome) };
  if (status === 'cancelled') return { status, finished: at };
  return { status: 'running' };
}
