import type { Fault } from '../../../base/fault.ts';
import type { Database } from './database.ts';
import { fileIdentity } from './database-file.ts';
import { type DatabaseSpec, openDatabase, startAnew } from './open-database.ts';

/** Found damaged, or deleted while in use, it is started anew; the transaction runs on the empty database. */
export interface DerivedDatabase {
  read<T>(work: (database: Database) => T): Promise<T>;
  write<T>(work: (database: Database) => T): Promise<T>;
  close(): Promise<void>;
}

/** A question touches hundreds of rows all over the file, so pages are cached. */
const CACHE_KIB = 16 * 1024;

export function derivedDatabase(spec: Omit<DatabaseSpec, 'kind'>): DerivedDatabase {
  const { file } = spec;
  let opened: Promise<Database> | undefined;
  let identity = '';

  function open(): Promise<Database> {
    const begun = connect();
    // The next use tries again: the obstacle may be gone.
    begun.catch(() => {
      if (opened === begun) opened = undefined;
    });
    return begun;
  }

  async function connect(): Promise<Database> {
    const database = await openDatabase({ ...spec, kind: 'derived' });
    database.connection.exec(`pragma cache_size = -${CACHE_KIB}`);
    identity = fileIdentity(file);
    return database;
  }

  async function current(): Promise<Database> {
    const known = opened;
    // Only an open database has an identity, so one that another call is opening is awaited.
    await known;
    const isStale = known && file !== ':memory:' && fileIdentity(file) !== identity;
    if (isStale && known === opened) await close();
    opened ??= open();
    return opened;
  }

  async function close(): Promise<void> {
    const database = opened;
    opened = undefined;
    // A database that could not be opened has nothing to close; its user got the error.
    await (await database?.catch(() => undefined))?.close();
  }

  async function run<T>(use: (database: Database) => Promise<T>): Promise<T> {
    try {
      return await use(await current());
    } catch (error) {
      if ((error as Fault | undefined)?.code !== 'store/corrupt') throw error;
    }
    const damaged = identity;
    await close();
    await startAnew(spec, damaged);
    return use(await current());
  }

  return {
    read: (work) => run((database) => database.read(() => work(database))),
    write: (work) => run((database) => database.write(() => work(database))),
    close,
  };
}
