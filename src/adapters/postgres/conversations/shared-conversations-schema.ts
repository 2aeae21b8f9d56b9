import type { Migration } from '../seam/migrate.ts';

const KEY = 'text collate "C" not null';

export const CONVERSATION_STEPS: readonly Migration[] = [
  {
    name: 'conversations that were shared',
    sql: `
      create table ken.shared_conversation (
        team ${KEY},
        workspace ${KEY},
        id ${KEY},
        digest text not null,
        -- JSON, in which any character can be written.
        metadata text not null,
        -- One event a line, in UTF-8.
        lines bytea not null,
        primary key (team, workspace, id)
      );
    `,
  },
];
