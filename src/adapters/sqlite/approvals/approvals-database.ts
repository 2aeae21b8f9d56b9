import { lstatSync } from 'node:fs';
import { Fault } from '../../../base/fault.ts';
import type { Database } from '../seam/database.ts';
import type { Migration } from '../seam/migrate.ts';
import { openDatabase } from '../seam/open-database.ts';

export async function openApprovalsDatabase(file: string): Promise<Database> {
  if (file !== ':memory:') refuseOthersFile(file);
  return openDatabase({ file, kind: 'truth', isPrivate: true, migrations: MIGRATIONS });
}

/** A file that others may write does not prove what this operator decided. */
function refuseOthersFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  const isOurs = stats.isFile() && stats.uid === process.getuid?.();
  if (isOurs && (stats.mode & 0o022) === 0) return;
  throw new Fault('approvals/unsafe', `${file} may have been written by somebody else.`, {
    hint: isOurs
      ? `If it is yours alone, run "chmod 600 ${file}".`
      : 'Move it away; what was approved is asked again.',
  });
}

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'approvals, jobs, trust, tool pins',
    run: (connection) =>
      connection.exec(`
        create table approval (
          id text primary key,
          workspace text,
          reason text not null,
          request text not null,
          actor text not null,
          summary text not null,
          digest text not null,
          created integer not null,
          expires integer not null,
          status text not null check (status in ('pending', 'approved', 'denied', 'consumed', 'expired')),
          decided_by text,
          decided_at integer,
          decided_through text,
          consumed integer
        ) strict;
        create index approval_by_request on approval (digest, workspace, status);
        create index approval_by_expiry on approval (status, expires);
        create unique index approval_waits_once on approval (digest, ifnull(workspace, '')) where status = 'pending';

        create table job (
          id text primary key,
          workspace text,
          title text not null,
          owner text not null,
          started integer not null,
          updated integer not null,
          status text not null check (status in ('running', 'done', 'failed', 'cancelled')),
          progress text,
          is_cancel_requested integer not null default 0,
          finished integer,
          outcome text
        ) strict;

        create table trust (
          workspace text primary key,
          sources text not null,
          digest text not null,
          decided_by text not null,
          decided_at integer not null,
          decided_through text not null
        ) strict;

        create table tool_pin (
          workspace text not null,
          server text not null,
          tool text not null,
          definition text not null,
          digest text not null,
          pinned integer not null,
          primary key (workspace, server, tool)
        ) strict, without rowid;
      `),
  },
  {
    name: 'signatures, log of decisions',
    run: (connection) =>
      connection.exec(`
        alter table approval add column signature text;
        alter table trust add column signature text;
        alter table tool_pin add column signature text;

        create table decision_log (
          number integer primary key autoincrement,
          content text not null,
          hash text not null,
          signature text
        ) strict;
        create trigger decision_log_is_not_changed before update on decision_log
          begin select raise(abort, 'the log of decisions is only appended to'); end;
        create trigger decision_log_is_not_shortened before delete on decision_log
          begin select raise(abort, 'the log of decisions is only appended to'); end;
      `),
  },
  { name: 'notes', run: (connection) => connection.exec('alter table approval add column note text') },
  {
    name: 'standing approvals',
    run: (connection) =>
      connection.exec(`
        create table standing_approval (
          id text primary key,
          workspace text not null,
          conversation text not null,
          terminal text not null,
          tool text not null,
          covers text not null,
          digest text not null,
          created integer not null,
          expires integer not null,
          decided_by text not null,
          decided_at integer not null,
          decided_through text not null,
          signature text
        ) strict;
        create index standing_approval_by_call on standing_approval (conversation, digest);
      `),
  },
];
