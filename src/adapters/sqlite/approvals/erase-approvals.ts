/** Takes records out of the approvals database. The log of decisions stays: it has names and digests, no contents. */

import type { Database } from '../seam/database.ts';

export interface ErasableRecords {
  readonly approvals: readonly string[];
  readonly jobs: readonly string[];
  readonly standing: readonly string[];
}

/** Ids of the approvals and jobs in which something is erased. */
export async function recordsHolding(
  { read, statement }: Database,
  holds: (text: string) => boolean,
): Promise<ErasableRecords> {
  const idsIn = (sql: string) =>
    statement(sql)
      .all()
      .filter((row) => holds(Object.values(row).map(String).join('\n')))
      .map(({ id }) => String(id));
  return read(() => {
    const approvals = idsIn('select id, reason, request, summary from approval');
    const jobs = idsIn('select id, title, progress, outcome from job');
    // The job that an approval started has its id.
    const started = statement('select id from job where id in (select value from json_each(?))');
    const related = started.all(JSON.stringify(approvals)).map(({ id }) => String(id));
    const standing = idsIn('select id, tool, covers from standing_approval');
    return { approvals, jobs: [...new Set([...jobs, ...related])], standing };
  });
}

export async function eraseRecords(
  { connection, write, statement }: Database,
  { approvals, jobs, standing }: ErasableRecords,
): Promise<void> {
  connection.exec('pragma secure_delete = on');
  await write(() => {
    statement('delete from job where id in (select value from json_each(?))').run(JSON.stringify(jobs));
    statement('delete from approval where id in (select value from json_each(?))').run(
      JSON.stringify(approvals),
    );
    const ended = statement('delete from standing_approval where id in (select value from json_each(?))');
    ended.run(JSON.stringify(standing));
  });
  connection.exec('vacuum');
  connection.exec('pragma wal_checkpoint(truncate)');
}
