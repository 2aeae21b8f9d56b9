/** A real PostgreSQL for tests, shared by all of a run. Each test works as a team of its own. */

import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import type { Database, Tenant } from '../../src/adapters/postgres/seam/database.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { lazy } from '../../src/base/lazy.ts';

/** Where Debian's package has its programs. */
export const BINARIES = '/usr/lib/postgresql/15/bin';

/** Names the socket through which `start-postgres.ts` is asked to start the server. */
export const SOCKET_VARIABLE = 'KEN_TEST_POSTGRES_SOCKET';

/** Why there is no PostgreSQL; nothing when there is one. What KEN_TEST_REQUIRE names is never missing quietly. */
export function postgresProblem(): string | undefined {
  if (process.env.KEN_TEST_REQUIRE?.split(',').includes('postgres')) return undefined;
  return existsSync(path.join(BINARIES, 'initdb')) ? undefined : `${BINARIES} is not here`;
}

/** The directory of the server's socket, once it runs. */
export const socketDirectory = lazy(async () => {
  const socket = process.env[SOCKET_VARIABLE];
  if (!socket) throw new Error('PostgreSQL was not set up for these tests.');
  const answer = await text(connect(socket));
  if (answer !== 'ready') throw new Error(answer);
  return path.dirname(socket);
});

/** The address of a database of the server; `postgres` is there from the start. */
export async function databaseUrl(name = 'postgres'): Promise<string> {
  return `postgres:///${name}?host=${encodeURIComponent(await socketDirectory())}&user=ken`;
}

let made = 0;
const ownName = (kind: string) => `${kind}_${process.pid}_${Date.now()}_${++made}`;

/** The address of an empty database. */
export async function emptyDatabaseUrl(): Promise<string> {
  const name = ownName('empty');
  const { default: postgres } = await import('postgres');
  const sql = postgres({ host: await socketDirectory(), user: 'ken', database: 'postgres', max: 1 });
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return databaseUrl(name);
}

/** A team that no other test has. */
export function newTenant(): Tenant {
  return { team: ownName('team'), workspace: 'garden' };
}

export interface SharedDatabase {
  database(): Promise<Database>;
  /** Every statement so far, with the values of one of its runs. */
  readonly statements: ReadonlyMap<string, readonly unknown[]>;
}

/** One set of connections for all tests of a file or suite. */
export function sharedDatabase(): SharedDatabase {
  const statements = new Map<string, readonly unknown[]>();
  const observe = (sql: string, values: readonly unknown[]) => void statements.set(sql, values);
  let isOpen = false;
  const database = lazy(async () => {
    isOpen = true;
    return openDatabase(await databaseUrl(), { observe });
  });
  afterAll(async () => {
    if (isOpen) await (await database()).close();
  });
  return { database, statements };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface TenantColumns {
  readonly tenant: readonly string[];
  /** Fewest statements that the others ran. */
  readonly least?: number;
  /** Tables, or indexes, whose rows belong to a team as a whole. */
  readonly ofTeam?: readonly string[];
}

/** The last test of a suite: every statement on a table that the others ran compares the tenant by an index. */
export function itUsesTheTenantsIndexes({
  database,
  statements,
  ...columns
}: SharedDatabase & TenantColumns): void {
  it('finds the rows of every statement through an index that begins with the tenant', async () => {
    const ran = [...statements].filter(
      ([sql]) => /\bken\.(?!migration)/.test(sql) && !/\b(?:create|alter|drop) /.test(sql),
    );
    expect(ran.length).toBeGreaterThanOrEqual(columns.least ?? 6);
    const strays: string[] = [];
    await (await database()).read(async (sql) => {
      // With few rows the planner would read them all; where it still does, no index helps.
      await sql`set local enable_seqscan = off`;
      for (const [statement, values] of ran) {
        const explain = `explain (format json) ${statement}`;
        const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(explain, values as never[]);
        if (!row) throw new Error(`No plan for ${statement}`);
        strays.push(
          ...strayScans(row['QUERY PLAN'][0].Plan, columns).map((stray) => `${stray} in ${statement}`),
        );
      }
    });
    expect(strays).toEqual([]);
  });
}

function strayScans(node: PlanNode, columns: TenantColumns): string[] {
  const isOfTeam = (columns.ofTeam ?? []).some(
    (name) => name === node['Relation Name'] || name === node['Index Name'],
  );
  const tenant = isOfTeam ? ['team'] : columns.tenant;
  const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? '';
  const isScan = node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable';
  // These hold the rows of one workspace.
  const isOfWorkspace = /^search_candidate_(?:words|meaning)_/.test(node['Index Name'] ?? '');
  const isOurs = isOfWorkspace || tenant.every((column) => new RegExp(`\\b${column} = `).test(condition));
  const below = (node.Plans ?? []).flatMap((plan) => strayScans(plan, columns));
  return isScan && !isOurs
    ? [`${node['Node Type']} of ${node['Relation Name']} (${condition})`, ...below]
    : below;
}
