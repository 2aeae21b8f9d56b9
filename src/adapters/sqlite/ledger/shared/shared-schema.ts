import type { Migration } from '../../seam/migrate.ts';

export const SHARED_EVENTS: Migration = {
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
