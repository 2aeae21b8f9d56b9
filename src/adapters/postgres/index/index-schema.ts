import type { Migration } from '../seam/migrate.ts';

/** Texts that are compared and sorted as bytes, as SQLite does. */
const KEY = 'text collate "C" not null';
const TENANT = `team ${KEY}, workspace ${KEY}`;

export const INDEX_STEPS: readonly Migration[] = [
  {
    name: 'search index',
    sql: `
      -- One row for each index. A writer locks it first. Bytes hold numbers with the low byte first.
      create table ken.search_state (
        ${TENANT},
        format text not null,
        generation text not null,
        revision bigint not null,
        next_chunk bigint not null,
        -- Of an item, a group or a segment.
        next_number bigint not null,
        embedder text,
        dimension integer,
        primary key (team, workspace)
      );

      create table ken.search_source (
        ${TENANT},
        name ${KEY},
        revision text not null,
        primary key (team, workspace, name)
      );

      create table ken.search_group (
        ${TENANT},
        number bigint not null,
        source ${KEY},
        kind ${KEY},
        topic ${KEY},
        primary key (team, workspace, number),
        unique (team, workspace, source, kind, topic)
      );

      create table ken.search_item (
        ${TENANT},
        number bigint not null,
        source ${KEY},
        id ${KEY},
        group_number bigint not null,
        path ${KEY},
        hash text not null,
        -- JSON, in which any character can be written; so has a chunk.
        title text not null,
        meta text not null,
        labels jsonb not null,
        first_chunk bigint not null,
        chunk_count bigint not null,
        primary key (team, workspace, number),
        unique (team, workspace, source, id)
      );
      create index search_item_by_path on ken.search_item (team, workspace, path);

      create table ken.search_chunk (
        ${TENANT},
        number bigint not null,
        item bigint not null,
        ordinal integer not null,
        first_line integer not null,
        last_line integer not null,
        content text not null,
        primary key (team, workspace, number)
      );

      create table ken.search_chunk_block (
        ${TENANT},
        number bigint not null,
        revision bigint not null,
        present bytea not null,
        lengths bytea not null,
        groups bytea not null,
        primary key (team, workspace, number)
      );
      create index search_chunk_block_by_revision on ken.search_chunk_block (team, workspace, revision);

      create table ken.search_segment (
        ${TENANT},
        id bigint not null,
        base bigint not null,
        span bigint not null,
        bytes bigint not null,
        removed bigint not null,
        primary key (team, workspace, id)
      );

      create table ken.search_term_block (
        ${TENANT},
        segment bigint not null,
        first bytea not null,
        content bytea not null,
        primary key (team, workspace, segment, first)
      );

      create table ken.search_code_block (
        ${TENANT},
        number bigint not null,
        revision bigint not null,
        present bytea not null,
        codes bytea not null,
        primary key (team, workspace, number)
      );
      create index search_code_block_by_revision on ken.search_code_block (team, workspace, revision);

      create table ken.search_vector (
        ${TENANT},
        chunk bigint not null,
        vector bytea not null,
        primary key (team, workspace, chunk)
      );
    `,
  },
];
