import type { Migration } from '../seam/migrate.ts';

const KEY = 'text collate "C" not null';

export const SUBJECT_STEPS: readonly Migration[] = [
  {
    name: 'topics of the knowledge base',
    sql: `
      create table ken.subject_topic (
        team ${KEY},
        workspace ${KEY},
        id ${KEY},
        file_set ${KEY},
        digest text not null,
        -- JSON, in which any character can be written.
        about text not null,
        primary key (team, workspace, id),
        foreign key (team, workspace, file_set) references ken.file_set
      );
      create unique index subject_topic_by_files on ken.subject_topic (team, workspace, file_set);
    `,
  },
];
