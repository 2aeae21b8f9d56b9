/** `knowledge.db` of a workspace: the ledger. It cannot be rebuilt, and it may have come with a repository. */

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { counted } from '../../../base/text.ts';
import type { OperatorKey } from '../../../domain/ledger/entry/operator-key.ts';
import type { Database } from '../seam/database.ts';
import { copyDatabase, MEMORY } from '../seam/database-file.ts';
import { inspectionRecord } from '../seam/inspection-record.ts';
import type { Migration } from '../seam/migrate.ts';
import { isOlder, openDatabase } from '../seam/open-database.ts';
import { strangeRows } from './inspect-ledger.ts';
import { INSERT_TERMS, termValues } from './ledger-rows.ts';
import { adoptRows } from './ledger-seal.ts';

export interface LedgerPlace {
  readonly file: string;
  /** Own directory of the user, in which inspections of the file are recorded. */
  readonly records: string;
  readonly key: OperatorKey;
  warn?(text: string): void;
  /** Copies the ledger of an earlier ken, given a function that writes it to a new file. */
  beforeMigration?(copyTo: (target: string) => void): Promise<void>;
}

export async function openLedgerDatabase(place: LedgerPlace): Promise<Database> {
  const { file, records, key } = place;
  const inspections = inspectionRecord(records);
  // Asked before the file is opened, which records it.
  const isKnown = file !== MEMORY && existsSync(file) && inspections.isKnown(file);
  let claims = 0;
  const migrations = ledgerMigrations((connection) => {
    if (isKnown) adoptRows(connection, key);
    else claims = Number(connection.prepare('select count(*) as number from entry').get()?.number);
  });
  const spec = { file, kind: 'truth', migrations, inspections, strangeRows } as const;
  if (place.beforeMigration && file !== MEMORY && existsSync(file) && (await isOlder(spec)))
    await place.beforeMigration((target) => copyDatabase(file, target));
  const database = await openDatabase(spec);
  if (claims > 0) place.warn?.(claimsText(file, claims));
  return database;
}

function claimsText(file: string, claims: number): string {
  return (
    `${file} is of an earlier ken, and nothing here knows it: ${counted(claims, 'entry', 'entries')} in it may be of ` +
    'others and count as claims. If they are yours, run "ken knowledge confirm --all".'
  );
}

/** `adopt` runs once, when the rows of a ledger that is not marked yet get room for marks. */
export function ledgerMigrations(adopt?: (connection: DatabaseSync) => void): readonly Migration[] {
  return [
    ...STEPS,
    { ...MARKS, run: (connection) => [MARKS.run(connection), adopt?.(connection)] },
    SHARED_EVENTS,
    CLAIMS,
  ];
}

const MARKS: Migration = {
  name: 'marks of the operator who wrote',
  run: (connection) =>
    connection.exec(`
      create table ledger (id text not null) strict;
      insert into ledger values (lower(hex(randomblob(16))));
      alter table event add column mac text;
      alter table version add column mac text;
      alter table citation add column verdict_mac text;
      alter table promotion add column mac text;
    `),
};

const SHARED_EVENTS: Migration = {
  name: 'events that are shared through git',
  run: (connection) =>
    connection.exec(`
      alter table event add column is_shared integer not null default 0;
      create index event_not_shared on event (position) where is_shared = 0;

      -- Events of others. They are kept when a line is gone, as after a change of branch.
      create table shared_event (
        id text not null,
        digest text not null,
        -- A line, as it came.
        line text not null,
        -- It counts from this moment on, in milliseconds.
        due integer not null,
        state text not null check (state in ('new', 'counted', 'proposed', 'waiting', 'ahead', 'twin', 'settled')),
        why text,
        settled text check (settled in ('accepted', 'declined')),
        settled_mac text,
        primary key (id, digest)
      ) strict, without rowid;

      -- Entries whose base is in a line that was sent or has come.
      create table shared_base (entry text primary key) strict, without rowid;
      create table shared_file (
        name text primary key, stamp text not null, bad integer not null, problem text
      ) strict, without rowid;
      create table shared_pair (
        merge_key text not null, active text not null, superseded text not null,
        primary key (merge_key, active, superseded)
      ) strict, without rowid;
    `),
};

const CLAIMS: Migration = {
  name: 'claims, and the side that an entry takes',
  run: (connection) =>
    connection.exec(`
      alter table version add column claim_stance text check (claim_stance in ('supports', 'contradicts'));
      create index version_by_claim on version (claim_id) where until is null and claim_id is not null;

      -- What entries name in "claim_id", in the words that it was last stated in.
      create table claim (
        id text primary key,
        text text not null,
        stated integer not null,
        stated_by text not null,
        mac text
      ) strict, without rowid;
    `),
};

const STEPS: readonly Migration[] = [
  {
    name: 'entries, versions, citations, events, promotions',
    run: (connection) =>
      connection.exec(`
        create table entry (
          id text primary key,
          created integer not null,
          supersedes text references entry (id)
        ) strict, without rowid;
        create index entry_by_superseded on entry (supersedes) where supersedes is not null;

        -- An entry as it was from "since" up to, not including, "until".
        create table version (
          position integer primary key,
          entry text not null references entry (id),
          number integer not null,
          created integer not null,
          since integer not null,
          until integer,
          written integer not null,
          title text not null,
          text text not null,
          provenance text not null,
          claim_id text,
          merge_key text check (merge_key <> ''),
          status text not null check (status in ('active', 'superseded', 'deprecated', 'stale')),
          ttl_policy text not null check (ttl_policy in ('ephemeral', 'decay', 'persistent')),
          expires integer,
          tags text not null,
          labels text not null,
          unique (entry, number),
          check (since >= created and until >= since),
          check (ttl_policy <> 'persistent' or expires is null)
        ) strict;
        create unique index active_merge_key on version (merge_key)
          where until is null and status = 'active' and merge_key is not null;
        create index version_by_expiry on version (expires)
          where until is null and status = 'active' and expires is not null;
        create index version_by_creation on version (created, entry) where until is null;

        create virtual table version_words using fts5 (
          title, tags, text, provenance,
          content = '', tokenize = 'porter unicode61 remove_diacritics 2'
        );
        insert into version_words (version_words, rank) values ('rank', 'bm25(5.0, 3.0, 1.0, 1.0)');

        create table citation (
          entry text not null references entry (id),
          provenance text not null,
          -- Its place in the order of the entry's citations.
          place integer not null,
          number integer not null,
          sha256 text,
          cited integer not null,
          cited_by text not null,
          verdict text check (verdict in ('ok', 'unchecked', 'moved', 'changed', 'missing')),
          verified integer,
          primary key (entry, provenance)
        ) strict, without rowid;

        create table event (
          position integer primary key,
          id text not null unique,
          at integer not null,
          type text not null,
          actor text not null,
          run text not null,
          data text not null,
          changes text not null,
          file text,
          is_in_file integer not null
        ) strict;
        create index event_not_in_file on event (position) where is_in_file = 0;
        create table event_entry (
          entry text not null,
          event integer not null references event (position),
          primary key (entry, event)
        ) strict, without rowid;

        create table feedback (
          entry text primary key references entry (id),
          retrieved integer not null,
          helped integer not null,
          hurt integer not null
        ) strict, without rowid;

        create table promotion (
          event_id text primary key,
          at integer not null,
          source text not null,
          target_class text not null,
          evidence text not null,
          reason text not null,
          text_sha256 text not null,
          approval_id text unique,
          approver text not null,
          consumed_by text,
          is_revoked integer not null default 0
        ) strict, without rowid;
      `),
  },
  {
    name: 'citations of every version',
    run: (connection) =>
      connection.exec(`
        alter table citation rename to citation_before;
        -- In force from the version "number" on, up to, not including, "until_number".
        create table citation (
          entry text not null references entry (id),
          -- Its place in the order of the entry's citations.
          place integer not null,
          number integer not null,
          until_number integer check (until_number > number and until_number <= 1000000000000),
          provenance text not null,
          sha256 text,
          cited integer not null,
          cited_by text not null,
          verdict text check (verdict in ('ok', 'unchecked', 'moved', 'changed', 'missing')),
          verified integer,
          primary key (entry, place, number)
        ) strict, without rowid;
        create unique index citation_in_force on citation (entry, provenance) where until_number is null;
        insert into citation (entry, place, number, provenance, sha256, cited, cited_by, verdict, verified)
          select entry, place, number, provenance, sha256, cited, cited_by, verdict, verified
          from citation_before;
        drop table citation_before;
      `),
  },
  {
    name: 'terms of versions, as search counts them',
    run(connection) {
      connection.exec(`
        drop table version_words;
        create virtual table version_words using fts5 (
          title, tags, text, provenance, content = '', tokenize = 'ascii'
        );
        insert into version_words (version_words, rank) values ('rank', 'bm25(5.0, 3.0, 1.0, 1.0)');
      `);
      fillTerms(connection);
    },
  },
];

/** Written for every version, since a contentless table cannot be rebuilt. */
export function fillTerms(connection: DatabaseSync): void {
  const insert = connection.prepare(INSERT_TERMS);
  const versions = connection
    .prepare('select position, title, tags, text, provenance from version')
    .iterate();
  for (const { position, title, tags, text, provenance } of versions) {
    insert.run(
      Number(position),
      ...termValues({
        title: String(title),
        tags: JSON.parse(String(tags)),
        text: String(text),
        provenance: String(provenance),
      }),
    );
  }
}
