import type { Migration } from '../seam/migrate.ts';

/** Texts that are compared and sorted as bytes, as SQLite does. */
const KEY = 'text collate "C" not null';

export const ACCESS_STEPS: readonly Migration[] = [
  {
    name: 'access: tokens, members, logins, sessions, sign-ins, audit',
    sql: `
      create table ken.access_token (
        team ${KEY}, hash ${KEY}, id ${KEY}, person ${KEY}, scopes text not null, workspace ${KEY},
        created bigint not null, expires bigint not null, revoked bigint,
        primary key (team, hash)
      );
      create unique index access_token_by_id on ken.access_token (team, id);
      create index access_token_by_person on ken.access_token (team, person);
      create table ken.member (
        team ${KEY}, workspace ${KEY}, person ${KEY}, scopes text not null,
        primary key (team, workspace, person)
      );
      create index member_by_person on ken.member (team, person, workspace);
      create table ken.login (
        team ${KEY}, hash ${KEY}, person ${KEY}, expires bigint not null,
        primary key (team, hash)
      );
      create index login_by_expiry on ken.login (team, expires);
      create table ken.session (
        team ${KEY}, hash ${KEY}, person ${KEY}, workspace ${KEY}, form_token text not null, expires bigint not null,
        primary key (team, hash)
      );
      create index session_by_person on ken.session (team, person);
      create index session_by_expiry on ken.session (team, expires);
      create table ken.sign_in (
        team ${KEY}, hash ${KEY}, verifier text not null, nonce text not null, expires bigint not null,
        primary key (team, hash)
      );
      create index sign_in_by_expiry on ken.sign_in (team, expires);
      create table ken.audit (
        team ${KEY}, position bigint generated always as identity, at bigint not null, person ${KEY},
        channel text not null, via text not null, origin text not null, workspace text not null, act text not null,
        outcome text not null check (outcome in ('done', 'denied', 'failed')),
        primary key (team, position)
      );
      create index audit_by_person on ken.audit (team, person, position desc);
      create index audit_by_time on ken.audit (team, at);
    `,
  },
];
