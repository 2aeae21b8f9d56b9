import type { Migration } from '../seam/migrate.ts';

/** Texts that are compared and sorted as bytes, as SQLite does. */
const KEY = 'text collate "C" not null';

export const APPROVAL_STEPS: readonly Migration[] = [
  {
    name: 'approvals and jobs',
    sql: `
      -- Records are found by id within the team, so the workspace is no part of the key; '' is none.
      create table ken.approval (
        team ${KEY},
        id ${KEY},
        workspace ${KEY},
        digest ${KEY},
        -- JSON, in which any character can be written: reason, request, actor, summary.
        content text not null,
        created bigint not null,
        expires bigint not null,
        status text not null check (status in ('pending', 'approved', 'denied', 'consumed', 'expired')),
        decided_by text,
        decided_at bigint,
        decided_through text,
        signature text,
        consumed bigint,
        primary key (team, id)
      );
      create index approval_by_request on ken.approval (team, workspace, digest, status);
      create index approval_by_expiry on ken.approval (team, status, expires);
      create index approval_by_creation on ken.approval (team, created desc, id desc);
      create unique index approval_waits_once on ken.approval (team, workspace, digest) where status = 'pending';

      create table ken.job (
        team ${KEY},
        id ${KEY},
        workspace ${KEY},
        title text not null,
        owner text not null,
        started bigint not null,
        updated bigint not null,
        status text not null check (status in ('running', 'done', 'failed', 'cancelled')),
        -- JSON, as is the outcome.
        progress text,
        is_cancel_requested boolean not null default false,
        finished bigint,
        outcome text,
        primary key (team, id)
      );
      create index job_by_start on ken.job (team, started desc, id desc);
    `,
  },
  { name: 'notes of decisions', sql: 'alter table ken.approval add column note text' },
];
