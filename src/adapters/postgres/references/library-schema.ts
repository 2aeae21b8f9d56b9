import type { Migration } from '../seam/migrate.ts';

const KEY = 'text collate "C" not null';

export const REFERENCE_STEPS: readonly Migration[] = [
  {
    name: 'reference topics',
    sql: `
      create table ken.reference_topic (
        team ${KEY},
        workspace ${KEY},
        slug ${KEY},
        file_set ${KEY},
        -- The same texts as in "topic.md" and "lock.jsonl", which may hold any character.
        description bytea not null,
        lock bytea not null,
        primary key (team, workspace, slug),
        foreign key (team, workspace, file_set) references ken.file_set
      );
      create unique index reference_topic_by_files on ken.reference_topic (team, workspace, file_set);
    `,
  },
];
