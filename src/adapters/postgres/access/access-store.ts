import type { Row } from 'postgres';
import { type Membership, SCOPES, type Scope } from '../../../domain/team/access.ts';
import type {
  AccessStore,
  AccessToken,
  AuditRecord,
  NewSession,
  Session,
} from '../../../domain/team/access-store.ts';
import type { Database, Transaction } from '../seam/database.ts';
import { joined } from '../seam/terms.ts';

/** '' stands for no workspace in particular. */
export function postgresAccessStore(database: Database, team: string): AccessStore {
  return {
    ...tokens(database, team),
    ...members(database, team),
    ...browsers(database, team),
    ...audit(database, team),
  };
}

type Tokens = Pick<AccessStore, 'putToken' | 'tokenBy' | 'tokens' | 'revokeToken'>;

function tokens(database: Database, team: string): Tokens {
  return {
    putToken: ({ workspace = '', scopes, revoked: _, ...rest }) =>
      database.write(async (sql) => {
        await sql`insert into ken.access_token ${sql({ team, ...rest, workspace, scopes: scopes.join(' ') })}`;
      }),
    tokenBy: (hash, now) =>
      database.read(async (sql) => {
        const [row] = await sql`
          select t.* from ken.access_token t
          where t.team = ${team} and t.hash = ${hash} and t.revoked is null and t.expires > ${now}`;
        return row && tokenFrom(row);
      }),
    tokens: () =>
      database.read(async (sql) => {
        const rows = await sql`
          select t.* from ken.access_token t where t.team = ${team} order by t.created desc, t.id`;
        return rows.map(tokenFrom);
      }),
    revokeToken: (id, now) =>
      database.write(async (sql) => {
        const { count } = await sql`
          update ken.access_token t set revoked = ${now}
          where t.team = ${team} and t.id = ${id} and t.revoked is null`;
        return count > 0;
      }),
  };
}

type Members = Pick<AccessStore, 'putMember' | 'removeMember' | 'members'>;

function members(database: Database, team: string): Members {
  return {
    putMember: ({ workspace, person, scopes }) =>
      database.write(async (sql) => {
        await sql`
          insert into ken.member ${sql({ team, workspace, person, scopes: scopes.join(' ') })}
          on conflict (team, workspace, person) do update set scopes = excluded.scopes`;
      }),
    removeMember: (workspace, person, now) =>
      database.write(async (sql) => {
        const { count } = await sql`
          delete from ken.member m
          where m.team = ${team} and m.workspace = ${workspace} and m.person = ${person}`;
        await sql`
          delete from ken.session s
          where s.team = ${team} and s.person = ${person} and s.workspace = ${workspace}`;
        await sql`
          update ken.access_token t set revoked = ${now}
          where t.team = ${team} and t.person = ${person} and t.workspace = ${workspace} and t.revoked is null`;
        return count > 0;
      }),
    members: ({ person, workspace }) =>
      database.read(async (sql) => {
        const terms = [sql`m.team = ${team}`];
        if (person !== undefined) terms.push(sql`m.person = ${person}`);
        if (workspace !== undefined) terms.push(sql`m.workspace = ${workspace}`);
        const rows = await sql`
          select m.* from ken.member m where ${joined(sql, terms, 'and')} order by m.workspace, m.person`;
        return rows.map(memberFrom);
      }),
  };
}

type Browsers = Omit<AccessStore, keyof (Tokens & Members & Auditing)>;

function browsers(database: Database, team: string): Browsers {
  return {
    putLogin: (login) =>
      database.write(async (sql) => {
        await sql`insert into ken.login ${sql({ team, ...login })}`;
      }),
    isLoginOpen: (hash, now) =>
      database.read(async (sql) => {
        const rows = await sql`
          select 1 from ken.login l where l.team = ${team} and l.hash = ${hash} and l.expires > ${now}`;
        return rows.length > 0;
      }),
    redeemLogin: (hash, session, now) =>
      database.write(async (sql) => {
        // Deleting it is what uses it up: of two at once, one finds the row.
        const [used] = await sql`
          delete from ken.login l where l.team = ${team} and l.hash = ${hash} and l.expires > ${now}
          returning l.person`;
        if (!used) return undefined;
        const person = String(used.person);
        await putSession(sql, team, { ...session, person });
        return person;
      }),
    putSession: (session) => database.write((sql) => putSession(sql, team, session)),
    sessionBy: (hash, now) =>
      database.read(async (sql) => {
        const [row] = await sql`
          select s.* from ken.session s where s.team = ${team} and s.hash = ${hash} and s.expires > ${now}`;
        return row && sessionFrom(row);
      }),
    chooseWorkspace: (hash, workspace) =>
      database.write(async (sql) => {
        await sql`
          update ken.session s set workspace = ${workspace} where s.team = ${team} and s.hash = ${hash}`;
      }),
    endSessions: (person) =>
      database.write(async (sql) => {
        await sql`delete from ken.session s where s.team = ${team} and s.person = ${person}`;
        await sql`delete from ken.login l where l.team = ${team} and l.person = ${person} and l.expires > 0`;
      }),
    putSignIn: (state) =>
      database.write(async (sql) => {
        await sql`insert into ken.sign_in ${sql({ team, ...state })}`;
      }),
    takeSignIn: (hash, now) =>
      database.write(async (sql) => {
        const [row] = await sql`
          delete from ken.sign_in s where s.team = ${team} and s.hash = ${hash} and s.expires > ${now} returning s.*`;
        return (
          row && { verifier: String(row.verifier), nonce: String(row.nonce), expires: Number(row.expires) }
        );
      }),
  };
}

async function putSession(sql: Transaction, team: string, session: NewSession): Promise<void> {
  const { hash, person, workspace = '', formToken, expires } = session;
  await sql`insert into ken.session ${sql({ team, hash, person, workspace, form_token: formToken, expires })}`;
}

type Auditing = Pick<AccessStore, 'record' | 'audit' | 'sweep'>;

function audit(database: Database, team: string): Auditing {
  return {
    record: (record) =>
      database.write(async (sql) => {
        await sql`insert into ken.audit ${sql({ team, ...record })}`;
      }),
    audit: ({ limit, person }) =>
      database.read(async (sql) => {
        const terms = [sql`a.team = ${team}`];
        if (person !== undefined) terms.push(sql`a.person = ${person}`);
        const rows = await sql`
          select a.* from ken.audit a where ${joined(sql, terms, 'and')} order by a.position desc limit ${limit}`;
        return rows.map(recordFrom);
      }),
    sweep: (now, keepAuditMs) =>
      database.write(async (sql) => {
        await sql`delete from ken.login l where l.team = ${team} and l.expires <= ${now}`;
        await sql`delete from ken.session s where s.team = ${team} and s.expires <= ${now}`;
        await sql`delete from ken.sign_in s where s.team = ${team} and s.expires <= ${now}`;
        await sql`delete from ken.audit a where a.team = ${team} and a.at <= ${now - keepAuditMs}`;
      }),
  };
}

function scopesFrom(text: unknown): Scope[] {
  const words = String(text).split(' ');
  return SCOPES.filter((scope) => words.includes(scope));
}

function orUndefined(text: unknown): string | undefined {
  return text === '' ? undefined : String(text);
}

function tokenFrom(row: Row): AccessToken {
  return {
    id: String(row.id),
    person: String(row.person),
    scopes: scopesFrom(row.scopes),
    workspace: orUndefined(row.workspace),
    created: Number(row.created),
    expires: Number(row.expires),
    revoked: row.revoked === null ? undefined : Number(row.revoked),
  };
}

function memberFrom(row: Row): Membership {
  return { workspace: String(row.workspace), person: String(row.person), scopes: scopesFrom(row.scopes) };
}

function sessionFrom(row: Row): Session {
  return {
    id: String(row.hash).slice(0, 12),
    person: String(row.person),
    workspace: orUndefined(row.workspace),
    formToken: String(row.form_token),
    expires: Number(row.expires),
  };
}

function recordFrom(row: Row): AuditRecord {
  return {
    at: Number(row.at),
    person: String(row.person),
    channel: String(row.channel),
    via: String(row.via),
    origin: String(row.origin),
    workspace: String(row.workspace),
    act: String(row.act),
    outcome: row.outcome,
  };
}
