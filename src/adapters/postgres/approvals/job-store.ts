import type { Row } from 'postgres';
import type { Job, JobEnd, JobProgress, JobState } from '../../../domain/approvals/job.ts';
import type { JobStore } from '../../../domain/approvals/job-store.ts';
import type { Database } from '../seam/database.ts';

export function postgresJobStore(database: Database, team: string): JobStore {
  return {
    start: ({ id, workspace = '', title, owner, started }) =>
      database.write(async (sql) => {
        const row = { team, id, workspace, title, owner, started, updated: started, status: 'running' };
        const { count } = await sql`insert into ken.job ${sql(row)} on conflict (team, id) do nothing`;
        return count === 1;
      }),
    report: (id, progress, now) =>
      database.write(async (sql) => {
        await sql`
          update ken.job j set progress = ${JSON.stringify(progress)}, updated = ${now}
          where j.team = ${team} and j.id = ${id} and j.status = 'running'`;
        const [row] = await sql`
          select j.is_cancel_requested from ken.job j where j.team = ${team} and j.id = ${id}`;
        return { isCancelRequested: row?.is_cancel_requested === true };
      }),
    requestCancel: (id) =>
      database.write(async (sql) => {
        const { count } = await sql`
          update ken.job j set is_cancel_requested = true
          where j.team = ${team} and j.id = ${id} and j.status = 'running'`;
        return count === 1;
      }),
    finish: (id, end) =>
      database.write(async (sql) => {
        const { status, finished } = end;
        const { count } = await sql`
          update ken.job j set status = ${status}, finished = ${finished}, updated = ${finished},
            outcome = ${outcomeOf(end)}
          where j.team = ${team} and j.id = ${id} and j.status = 'running'`;
        return count === 1;
      }),
    get: (id) =>
      database.read(async (sql) => {
        const [row] = await sql`select j.* from ken.job j where j.team = ${team} and j.id = ${id}`;
        return row && jobFrom(row);
      }),
    list: ({ workspace, isRunning, limit }) =>
      database.read(async (sql) => {
        const within = workspace === undefined ? sql`` : sql`and j.workspace = ${workspace}`;
        const running = isRunning ? sql`and j.status = 'running'` : sql``;
        const rows = await sql`
          select j.* from ken.job j where j.team = ${team} ${within} ${running}
          order by j.started desc, j.id desc limit ${limit ?? null}`;
        return rows.map(jobFrom);
      }),
  };
}

/** JSON, since a message of a tool may have characters that no text column takes. */
function outcomeOf(end: JobEnd): string | null {
  if (end.status === 'done') return JSON.stringify(end.result);
  return end.status === 'failed' ? JSON.stringify(end.message) : null;
}

function jobFrom(row: Row): Job {
  return {
    id: String(row.id),
    workspace: row.workspace === '' ? undefined : String(row.workspace),
    title: String(row.title),
    owner: String(row.owner),
    started: Number(row.started),
    updated: Number(row.updated),
    progress: row.progress === null ? undefined : (JSON.parse(String(row.progress)) as JobProgress),
    isCancelRequested: row.is_cancel_requested === true,
    state: stateFrom(row),
  };
}

function stateFrom({ status, finished, outcome }: Row): JobState {
  const at = Number(finished);
  if (status === 'done') return { status, finished: at, result: JSON.parse(String(outcome)) };
  if (status === 'failed') return { status, finished: at, message: JSON.parse(String(outcome)) };
  if (status === 'cancelled') return { status, finished: at };
  return { status: 'running' };
}
