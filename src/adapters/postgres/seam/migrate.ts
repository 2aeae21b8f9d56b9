/** The schema `ken` is the result of a list of steps. */

import { Fault } from '../../../base/fault.ts';
import type { Database, Transaction } from './database.ts';

/** Published steps are never changed, renamed or moved: databases record them by name. New ones are appended. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Held while steps run; the number is only a name. */
const LOCK = 5_318_009;

/** Runs the missing steps. Safe for many processes at once; each step runs once. */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  const done = await database.read((sql) => stepsDone(sql, migrations, place));
  if (done === migrations.length) return;
  await database.write(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`;
    // Read again under the lock: another process may have been first.
    const from = await stepsDone(sql, migrations, place);
    if (from === 0)
      await sql.unsafe(
        'create schema ken; create table ken.migration (position integer primary key, name text not null unique)',
      );
    for (const [at, { name, sql: step }] of migrations.entries()) {
      if (at < from) continue;
      await sql.unsafe(step);
      await sql`insert into ken.migration (position, name) values (${at + 1}, ${name})`;
    }
  });
}

/** A Fault when the database has steps of another program or a later version. */
async function stepsDone(sql: Transaction, migrations: readonly Migration[], place: string): Promise<number> {
  // The catalogues themselves: "to_regclass" may answer from before the lock was taken.
  const [found] = await sql<{ schema: boolean; steps: boolean }[]>`
    select exists (select from pg_namespace where nspname = 'ken') as schema,
      exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'ken' and c.relname = 'migration'
      ) as steps`;
  if (!found?.schema) return 0;
  if (!found.steps) throw foreign(place, 'it has no record of the steps that made it');
  const rows = await sql<{ name: string }[]>`select name from ken.migration order by position`;
  const stray = rows.findIndex(({ name }, at) => name !== migrations[at]?.name);
  if (stray === -1) return rows.length;
  if (stray < migrations.length) throw foreign(place, `step ${stray + 1} is "${rows[stray]?.name}"`);
  throw new Fault('store/newer', `The schema "ken" in ${place} was made by a newer ken.`, {
    hint: 'Update ken. What is in this workspace works without it.',
  });
}

function foreign(place: string, reason: string): Fault {
  return new Fault('store/foreign', `The schema "ken" in ${place} is not one of ken's: ${reason}.`, {
    hint: 'Name another database in team.url.',
  });
}
