import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { makeDirectories } from '../../paths/change-directory.ts';
import { type DerivedDatabase, derivedDatabase } from '../seam/derived-database.ts';
import type { Migration } from '../seam/migrate.ts';

/** The tables of a search index. Blobs hold numbers with the low byte first. */
export const SEARCH_INDEX: readonly Migration[] = [
  {
    name: 'search index',
    run: (connection) =>
      connection.exec(`
        create table search_state (
          only_row integer primary key check (only_row = 1),
          format text not null,
          generation text not null,
          revision integer not null,
          next_chunk integer not null,
          embedder text,
          dimension integer
        ) strict;

        create table search_group (
          number integer primary key,
          source text not null,
          kind text not null,
          topic text not null,
          unique (source, kind, topic)
        ) strict;

        create table search_item (
          number integer primary key,
          source text not null,
          id text not null,
          group_number integer not null,
          path text not null,
          title text not null,
          hash text not null,
          first_chunk integer not null,
          chunk_count integer not null,
          unique (source, id)
        ) strict;
        create index search_item_by_path on search_item (path);

        create table search_label (
          item integer not null,
          key text not null,
          value text not null,
          primary key (item, key)
        ) strict, without rowid;
        create index search_label_by_key on search_label (key, value);

        create table search_chunk (
          number integer primary key,
          item integer not null,
          ordinal integer not null,
          heading text not null,
          first_line integer not null,
          last_line integer not null,
          body text not null
        ) strict;

        create table search_chunk_block (
          number integer primary key,
          revision integer not null,
          present blob not null,
          lengths blob not null,
          groups blob not null
        ) strict;

        create table search_segment (
          id integer primary key autoincrement,
          base integer not null,
          span integer not null,
          bytes integer not null,
          removed integer not null
        ) strict;

        create table search_term_block (
          segment integer not null,
          first blob not null,
          content blob not null,
          primary key (segment, first)
        ) strict, without rowid;

        create table search_code_block (
          number integer primary key,
          revision integer not null,
          present blob not null,
          codes blob not null
        ) strict;

        create table search_vector (
          chunk integer primary key,
          vector blob not null
        ) strict;
      `),
  },
  {
    name: 'meta of items, revisions of sources',
    run: (connection) =>
      connection.exec(`
        alter table search_item add column phase text;
        alter table search_item add column stamp text;
        alter table search_item add column version text;
        alter table search_item add column sha256 text;
        alter table search_item add column url text;

        create table search_source (
          name text primary key,
          revision text not null
        ) strict, without rowid;
      `),
  },
  {
    name: 'questions that chunks answer',
    run: (connection) => connection.exec('alter table search_chunk add column question text'),
  },
];

/**
 * An index derived from files, in the operator's own directories; deleting it costs a rebuild, nothing else. Where
 * nothing can be written it is in memory, and made again by each process.
 */
export function searchDatabase(file: string, warn: (text: string) => void): DerivedDatabase {
  const place = canBeWritten(path.dirname(file)) ? file : ':memory:';
  return derivedDatabase({ file: place, migrations: SEARCH_INDEX, isPrivate: true, warn });
}

function canBeWritten(directory: string): boolean {
  try {
    makeDirectories(directory, 0o700);
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
