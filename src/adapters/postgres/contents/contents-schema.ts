import type { Migration } from '../seam/migrate.ts';

/** Texts that are compared and sorted as bytes, as SQLite does. */
const KEY = 'text collate "C" not null';
const TENANT = `team ${KEY}, workspace ${KEY}`;

export const CONTENT_STEPS: readonly Migration[] = [
  {
    name: 'contents: each once for a team, and sets of files',
    sql: `
      -- One row for each team: shared by those who add contents, held alone by those who remove some.
      create table ken.team_contents (team ${KEY}, primary key (team));

      create table ken.content (
        team ${KEY},
        sha256 ${KEY},
        bytes bytea not null,
        primary key (team, sha256)
      );

      -- Files that something else names as a whole. One that nothing names was never finished.
      create table ken.file_set (
        ${TENANT},
        id ${KEY},
        since timestamptz not null default now(),
        primary key (team, workspace, id)
      );

      create table ken.file (
        ${TENANT},
        file_set ${KEY},
        path ${KEY},
        sha256 ${KEY},
        size bigint not null,
        primary key (team, workspace, file_set, path),
        foreign key (team, workspace, file_set) references ken.file_set,
        foreign key (team, sha256) references ken.content
      );
      create index file_by_content on ken.file (team, sha256);
    `,
  },
];
