import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import type { Fault } from '../../../base/fault.ts';
import type { Database } from './database.ts';
import { fileIdentity, lockFile } from './database-file.ts';
import type { Migration } from './migrate.ts';
import { type DatabaseSpec, openDatabase, startAnew } from './open-database.ts';

const CUPS: readonly Migration[] = [
  { name: 'cups', run: (connection) => connection.exec('create table cup (colour text unique) strict') },
];

function truth(file: string): DatabaseSpec {
  return { file, kind: 'truth', migrations: CUPS };
}

function derived(file: string): DatabaseSpec & { warnings: string[] } {
  const warnings: string[] = [];
  return { file, kind: 'derived', migrations: CUPS, warnings, warn: (text) => warnings.push(text) };
}

async function add(database: Database, colour: string): Promise<void> {
  await database.write(() => database.statement('insert into cup values (?)').run(colour));
}

async function colours(database: Database): Promise<unknown[]> {
  return database.read(() =>
    database
      .statement('select colour from cup order by rowid')
      .all()
      .map((row) => row.colour),
  );
}

async function faultOf(opening: Promise<Database>): Promise<Pick<Fault, 'code' | 'message'>> {
  const { code, message } = await opening.then(
    () => expect.fail('it opened'),
    (error: Fault) => error,
  );
  return { code, message };
}

/** A database with one blue cup in it, closed. */
async function blueCup(file: string): Promise<void> {
  const database = await openDatabase(truth(file));
  await add(database, 'blue');
  await database.close();
}

it('keeps what was written, in one file, with directories made on the way', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'a/b/x.db');
  await blueCup(file);
  expect(readdirSync(path.dirname(file))).toEqual(['x.db']);
  const again = await openDatabase(truth(file));
  expect(await colours(again)).toEqual(['blue']);
  await again.close();
});

it.each([
  ['truth', 2],
  ['derived', 1],
] as const)('opens %s with the settings it promises', async (kind, synchronous) => {
  const file = path.join(temporaryDirectory(), 'x.db');
  const database = await openDatabase({ file, kind, migrations: CUPS });
  const pragma = (name: string) =>
    Object.values(database.connection.prepare(`pragma ${name}`).get() ?? {})[0];
  expect({
    journal_mode: pragma('journal_mode'),
    synchronous: pragma('synchronous'),
    foreign_keys: pragma('foreign_keys'),
    trusted_schema: pragma('trusted_schema'),
    busy_timeout: pragma('busy_timeout'),
  }).toEqual({ journal_mode: 'wal', synchronous, foreign_keys: 1, trusted_schema: 0, busy_timeout: 250 });
  database.connection.exec('pragma writable_schema = on');
  expect(() => database.connection.exec('delete from sqlite_schema')).toThrow('may not be modified');
  await database.close();
});

it('makes private files for their owner alone', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'data/ken/x.db');
  const database = await openDatabase({ ...truth(file), isPrivate: true });
  const modes = ['data', 'data/ken', 'data/ken/x.db', 'data/ken/x.db-wal'].map(
    (name) => statSync(path.join(directory, name)).mode & 0o777,
  );
  await database.close();
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

it('writes in the order asked for, also after one that failed', async () => {
  const database = await openDatabase(truth(':memory:'));
  const results = await Promise.allSettled(
    ['red', 'red', 'green', 'blue'].map((colour) => add(database, colour)),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await colours(database)).toEqual(['red', 'green', 'blue']);
  await database.close();
});

it('closes after the writes that were asked for, and twice if need be', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  const database = await openDatabase(truth(file));
  const writing = add(database, 'blue');
  await Promise.all([database.close(), writing]);
  await database.close();
  const again = await openDatabase(truth(file));
  expect(await colours(again)).toEqual(['blue']);
  await again.close();
});

it('waits for a lock without blocking, and says so when it never comes free', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  const database = await openDatabase(truth(file), { random: () => 0, wait: async () => {} });
  database.connection.exec('pragma busy_timeout = 0');
  const other = new DatabaseSync(file);
  other.exec('begin immediate');
  await expect(add(database, 'blue')).rejects.toMatchObject({
    code: 'store/busy',
    message: `${file} is locked by another process.`,
  });
  other.exec('commit');
  await add(database, 'blue');
  other.close();
  expect(await colours(database)).toEqual(['blue']);
  await database.close();
});

it('finds what a process that died left in the log', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  const dying = await openDatabase(truth(file));
  await add(dying, 'blue');
  const copy = path.join(directory, 'copy.db');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  await dying.close();
  const database = await openDatabase(truth(copy));
  expect(await colours(database)).toEqual(['blue']);
  await database.close();
});

it('refuses a directory in its place', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  mkdirSync(file);
  expect(await faultOf(openDatabase(derived(file)))).toEqual({
    code: 'files/refused',
    message: `${file} is a directory, not a plain file.`,
  });
});

it('refuses a file where a directory is needed', async () => {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'file'), '');
  const file = path.join(directory, 'file/x.db');
  expect(await faultOf(openDatabase(truth(file)))).toMatchObject({ code: 'files/unwritable' });
});

const DAMAGE: Record<string, (file: string) => void> = {
  'is not a database': (file) => writeFileSync(file, 'Dear reader, this is a letter.'.repeat(100)),
  'is damaged': (file) => {
    const bytes = readFileSync(file);
    bytes.fill(0xee, 100, 4096);
    writeFileSync(file, bytes);
  },
};

it.each(Object.entries(DAMAGE))('a file that %s is left alone when it is truth', async (what, damage) => {
  const file = path.join(temporaryDirectory(), 'x.db');
  await blueCup(file);
  damage(file);
  const bytes = readFileSync(file);
  expect(await faultOf(openDatabase(truth(file)))).toEqual({
    code: 'store/corrupt',
    message: `${file} ${what}.`,
  });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

it.each(Object.entries(DAMAGE))('a file that %s is made again when it is derived', async (_, damage) => {
  const file = path.join(temporaryDirectory(), 'x.db');
  await blueCup(file);
  damage(file);
  const bytes = readFileSync(file);
  const spec = derived(file);
  const database = await openDatabase(spec);
  expect(await colours(database)).toEqual([]);
  expect(spec.warnings).toEqual([`${file} was damaged and is made again; the old one is ${file}.corrupt.`]);
  expect(readFileSync(`${file}.corrupt`).equals(bytes)).toBe(true);
  await database.close();
});

it('notices a file that was cut off', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  await blueCup(file);
  truncateSync(file, 4096 + 100);
  const opening = openDatabase(truth(file)).then((database) => colours(database));
  await expect(opening).rejects.toMatchObject({ code: 'store/corrupt' });
});

it('does not play the log of a damaged file into the new one', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  const original = path.join(directory, 'original.db');
  await blueCup(original);
  const dying = await openDatabase(truth(original));
  await add(dying, 'green');
  for (const suffix of ['', '-wal']) copyFileSync(original + suffix, file + suffix);
  await dying.close();
  DAMAGE['is damaged']?.(file);

  const database = await openDatabase(derived(file));
  expect(await colours(database)).toEqual([]);
  await database.close();
});

it('drops the log of a file that somebody deleted', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  const dying = await openDatabase(truth(path.join(directory, 'original.db')));
  await add(dying, 'blue');
  copyFileSync(path.join(directory, 'original.db-wal'), `${file}-wal`);
  await dying.close();
  const database = await openDatabase(truth(file));
  expect(await colours(database)).toEqual([]);
  await database.close();
});

it('leaves a database of somebody else unchanged', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  const other = new DatabaseSync(file);
  other.exec('create table bookmark (url text)');
  other.close();
  const bytes = readFileSync(file);
  expect(await faultOf(openDatabase(truth(file)))).toMatchObject({ code: 'store/foreign' });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

it.each(['', '-wal', '-shm', '-journal'])('follows no link in the place of x.db%s', async (ending) => {
  const directory = temporaryDirectory();
  const [file, precious] = [path.join(directory, 'x.db'), path.join(directory, 'precious')];
  await blueCup(file);
  rmSync(`${file}${ending}`, { force: true });
  writeFileSync(precious, 'mine');
  symlinkSync('precious', `${file}${ending}`);
  expect(await faultOf(openDatabase(truth(file)))).toEqual({
    code: 'files/refused',
    message: `${file}${ending} is a symbolic link, which ken does not follow here.`,
  });
  expect(readFileSync(precious, 'utf8')).toBe('mine');
});

it('leaves the log of the new file alone when the damaged one is closed late', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  const late = await openDatabase(derived(file));
  await add(late, 'old');
  await startAnew(derived(file), fileIdentity(file));
  const fresh = await openDatabase(derived(file));
  await add(fresh, 'new');
  await late.close();
  const third = await openDatabase(derived(file));
  expect(await colours(third)).toEqual(['new']);
  await add(third, 'newer');
  expect(await colours(fresh)).toEqual(['new', 'newer']);
  await third.close();
  await fresh.close();
});

it('moves a damaged file away only once', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  writeFileSync(file, 'no database');
  const found = fileIdentity(file);
  const first = await openDatabase(derived(file));
  await add(first, 'kept');
  await startAnew(derived(file), found);
  const second = await openDatabase(derived(file));
  expect(await colours(second)).toEqual(['kept']);
  await first.close();
  await second.close();
});

it('takes anything for its lock file, and waits while another moves the files', async () => {
  const file = path.join(temporaryDirectory(), 'x.db');
  writeFileSync(
    `${file}.lock`,
    'not a lock of ours, and longer than a header of a database would be. '.repeat(9),
  );
  const first = await openDatabase(derived(file));
  const moving = lockFile(`${file}.lock`, 'exclusive');
  const events: string[] = [];
  const pauses = {
    random: () => 0.5,
    wait: async () => {
      events.push('waits');
      moving.close();
    },
  };
  const second = await openDatabase(derived(file), pauses);
  expect(events).toEqual(['waits']);
  await first.close();
  await second.close();
});
