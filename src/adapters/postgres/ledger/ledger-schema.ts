import type { Migration } from '../seam/migrate.ts';

/** Texts that are compared and sorted as bytes, as SQLite does. */
const KEY = 'text collate "C" not null';
const TENANT = `team ${KEY}, workspace ${KEY}`;
const OF_ENTRY = 'foreign key (team, workspace, entry) references ken.entry';

export const LEDGER_STEPS: readonly Migration[] = [
  {
    name: 'ledger: entries, versions, terms, citations, events, promotions',
    sql: `
      -- One row for each ledger. A writer locks it first; it counts events, versions and their terms.
      create table ken.ledger (
        ${TENANT},
        position bigint not null,
        versions bigint not null,
        terms bigint not null,
        primary key (team, workspace)
      );

      create table ken.entry (
        ${TENANT},
        id ${KEY},
        created bigint not null,
        supersedes text collate "C",
        primary key (team, workspace, id),
        foreign key (team, workspace, supersedes) references ken.entry
      );
      create index entry_by_superseded on ken.entry (team, workspace, supersedes) where supersedes is not null;

      -- An entry as it was from "since" up to, not including, "until".
      create table ken.version (
        ${TENANT},
        entry ${KEY},
        number integer not null,
        created bigint not null,
        since bigint not null,
        until bigint,
        written bigint not null,
        title text not null,
        text text not null,
        provenance text not null,
        claim_id text,
        merge_key text collate "C" check (merge_key <> ''),
        status text not null check (status in ('active', 'superseded', 'deprecated', 'stale')),
        ttl_policy text not null check (ttl_policy in ('ephemeral', 'decay', 'persistent')),
        expires bigint,
        tags jsonb not null,
        labels jsonb not null,
        -- Number of its terms.
        terms integer not null,
        primary key (team, workspace, entry, number),
        ${OF_ENTRY},
        check (since >= created and until >= since),
        check (ttl_policy <> 'persistent' or expires is null)
      );
      create unique index active_merge_key on ken.version (team, workspace, merge_key)
        where until is null and status = 'active' and merge_key is not null;
      create index version_by_expiry on ken.version (team, workspace, expires)
        where until is null and status = 'active' and expires is not null;
      create index version_by_creation on ken.version (team, workspace, created desc, entry) where until is null;

      -- How much each term of a version weighs.
      create table ken.version_term (
        ${TENANT},
        term ${KEY},
        entry ${KEY},
        number integer not null,
        weight integer not null,
        primary key (team, workspace, term, entry, number),
        foreign key (team, workspace, entry, number) references ken.version
      );
      create index version_term_by_version on ken.version_term (team, workspace, entry, number);

      -- In force from the version "number" on, up to, not including, "until_number".
      create table ken.citation (
        ${TENANT},
        entry ${KEY},
        -- Its place in the order of the entry's citations.
        place integer not null,
        number integer not null,
        until_number integer check (until_number > number),
        provenance ${KEY},
        sha256 text,
        cited bigint not null,
        cited_by text not null,
        verdict text check (verdict in ('ok', 'unchecked', 'moved', 'changed', 'missing')),
        verified bigint,
        primary key (team, workspace, entry, place, number),
        ${OF_ENTRY}
      );

      create table ken.event (
        ${TENANT},
        position bigint not null,
        id ${KEY},
        at bigint not null,
        type text not null,
        actor text not null,
        run text not null,
        data text not null,
        changes text not null,
        primary key (team, workspace, position),
        unique (team, workspace, id)
      );
      create table ken.event_entry (
        ${TENANT},
        entry ${KEY},
        event bigint not null,
        primary key (team, workspace, entry, event),
        foreign key (team, workspace, event) references ken.event
      );

      create table ken.feedback (
        ${TENANT},
        entry ${KEY},
        retrieved bigint not null,
        helped bigint not null,
        hurt bigint not null,
        primary key (team, workspace, entry),
        ${OF_ENTRY}
      );

      create table ken.promotion (
        ${TENANT},
        event_id ${KEY},
        at bigint not null,
        source text not null,
        target_class text not null,
        evidence text not null,
        reason text not null,
        text_sha256 text not null,
        approval_id text collate "C",
        approver text not null,
        consumed_by text,
        is_revoked boolean not null default false,
        primary key (team, workspace, event_id),
        unique (team, workspace, approval_id)
      );
    `,
  },
];

export const CLAIM_STEPS: readonly Migration[] = [
  {
    name: 'ledger: claims, and the side that an entry takes',
    sql: `
      alter table ken.version add column claim_stance text check (claim_stance in ('supports', 'contradicts'));
      create index version_by_claim on ken.version (team, workspace, claim_id)
        where until is null and claim_id is not null;

      -- What entries name in "claim_id", in the words that it was last stated in.
      create table ken.claim (
        ${TENANT},
        id ${KEY},
        text text not null,
        stated bigint not null,
        stated_by text not null,
        primary key (team, workspace, id)
      );
    `,
  },
];
