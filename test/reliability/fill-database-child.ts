/**
 * Adds rows until it fails, as a process of its own: `fill-database-child.ts FILE [--nobody]`.
 * With `--nobody` root gives its rights away first, since nothing is read-only to root.
 * Prints what failed, and what is there when it is opened again afterwards.
 */

import { writeSync } from 'node:fs';
import type { Database } from '../../src/adapters/sqlite/seam/database.ts';
import { openDatabase } from '../../src/adapters/sqlite/seam/open-database.ts';
import { Fault } from '../../src/base/fault.ts';

const [file = '', flag] = process.argv.slice(2);
const NOBODY = 65534;
if (flag === '--nobody') {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

const faults: unknown[] = [];
let acknowledged = 0;

function open(): Promise<Database> {
  const run: Parameters<typeof openDatabase>[0]['migrations'][number]['run'] = (connection) =>
    connection.exec('create table row (body text) strict');
  return openDatabase({ file, kind: 'truth', migrations: [{ name: 'rows', run }] });
}

async function fill(database: Database): Promise<void> {
  for (;;) {
    await database.write(() => database.statement('insert into row values (?)').run('x'.repeat(3000)));
    acknowledged += 1;
  }
}

async function count(database: Database): Promise<unknown> {
  return database.read(() => database.statement('select count(*) as rows from row').get()?.rows);
}

async function attempt(work: (database: Database) => Promise<unknown>): Promise<unknown> {
  let database: Database | undefined;
  try {
    database = await open();
    return await work(database);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message, hint } = error;
    faults.push({ code, message, hint });
    return undefined;
  } finally {
    await database?.close();
  }
}

await attempt(fill);
const found = await attempt(count);
writeSync(1, JSON.stringify({ faults, acknowledged, found }));
