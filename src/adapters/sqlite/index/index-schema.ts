import { type DerivedDatabase, derivedDatabase } from '../seam/derived-database.ts';
import { inspectionRecord } from '../seam/inspection-record.ts';
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
];

export interface IndexPlace {
  readonly file: string;
  /** In the user's own directories: where it is remembered that the file was inspected. */
  readonly records: string;
  warn(text: string): void;
}

/** An index derived from files; deleting it costs a rebuild, nothing else. A repository may bring one. */
export function searchDatabase({ file, records, warn }: IndexPlace): DerivedDatabase {
  return derivedDatabase({ file, migrations: SEARCH_INDEX, inspections: inspectionRecord(records), warn });
}
