import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { inspectionRecord } from './inspection-record.ts';
import type { Migration } from './migrate.ts';
import { type DatabaseSpec, openDatabase } from './open-database.ts';

const CUPS: Migration = {
  name: 'cups',
  run: (connection) => connection.exec('create table cup (colour text not null) strict'),
};
const TEXT: Migration = {
  name: 'text',
  run: (connection) => connection.exec('create virtual table text using fts5(colour)'),
};

interface Place extends DatabaseSpec {
  /** Changes the file as a stranger would, past all of our code. */
  tamper(sql: string): void;
}

/** A workspace's database that ken made and closed; what ken remembers of it is lost, as on another machine. */
async function arrived(kind: DatabaseSpec['kind'] = 'truth', migrations = [CUPS, TEXT]): Promise<Place> {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  const inspections = inspectionRecord(path.join(directory, 'state'));
  const spec: DatabaseSpec = { file, kind, migrations, inspections };
  await (await openDatabase(spec)).close();
  rmSync(path.join(directory, 'state'), { recursive: true });
  return { ...spec, tamper: (sql) => tamper(file, sql) };
}

function tamper(file: string, sql: string): void {
  const connection = new DatabaseSync(file, { defensive: false, enableForeignKeyConstraints: false });
  connection.exec(sql);
  connection.close();
}

const NO_PAUSES = { random: () => 0, wait: async () => {} };

async function open(spec: DatabaseSpec): Promise<string> {
  try {
    await (await openDatabase(spec, NO_PAUSES)).close();
    return 'opened';
  } catch (error) {
    if (error instanceof Error) return error.message.replaceAll(spec.file, 'x.db');
    throw error;
  }
}

it('takes a database of ours that arrived from elsewhere', async () => {
  expect(await open(await arrived())).toBe('opened');
});

it('takes an older one of ours and brings it up to date', async () => {
  const older = await arrived('truth', [CUPS]);
  expect(await open({ ...older, migrations: [CUPS, TEXT] })).toBe('opened');
});

const NOT_OURS = 'x.db is not a database of this kind: ';
const SCHEMAS: [string, string, string][] = [
  [
    'a trigger on a table of ours',
    "create trigger spy after insert on cup begin update cup set colour = 'black'; end",
    `${NOT_OURS}it has trigger "spy", not made by ken.`,
  ],
  [
    'a view in place of a table of ours',
    "drop table cup; create view cup as select 'black' as colour",
    `${NOT_OURS}it has view "cup", not made by ken.`,
  ],
  [
    'an index on an expression',
    'create index slow on cup (length(replace(hex(zeroblob(1000)), colour, colour)))',
    `${NOT_OURS}it has index "slow", not made by ken.`,
  ],
  [
    'a column that is computed',
    'drop table cup; create table cup (id integer, colour text as (hex(zeroblob(100000000))))',
    `${NOT_OURS}it has table "cup", not made by ken.`,
  ],
  ['a table less', 'drop table text', `${NOT_OURS}it lacks table "text".`],
  [
    'a virtual table more',
    'create virtual table more using fts5vocab(text, row)',
    `${NOT_OURS}it has table "more", not made by ken.`,
  ],
  [
    'a definition that cannot be parsed',
    "pragma writable_schema = on; update sqlite_schema set sql = 'create nonsense' where name = 'cup'",
    'x.db is damaged.',
  ],
];

it.each(SCHEMAS)('refuses truth with %s, and leaves it as it is', async (_, sql, message) => {
  const place = await arrived();
  place.tamper(sql);
  const bytes = readFileSync(place.file);
  expect(await open(place)).toBe(message);
  expect(readFileSync(place.file).equals(bytes)).toBe(true);
});

it.each(SCHEMAS)('makes a derived database with %s again', async (_, sql) => {
  const place = await arrived('derived');
  place.tamper(sql);
  expect(await open(place)).toBe('opened');
  tamper(place.file, "insert into cup values ('blue')");
  const connection = new DatabaseSync(place.file);
  const found = connection
    .prepare('select colour from cup')
    .all()
    .map((row) => row.colour);
  connection.close();
  expect(found).toEqual(['blue']);
});

it('notices a damaged page that opening alone would not read', async () => {
  const place = await arrived();
  place.tamper("insert into cup values (printf('%.*c', 100000, 'x'))");
  const bytes = readFileSync(place.file);
  bytes.fill(0xff, bytes.length - 4096);
  writeFileSync(place.file, bytes);
  expect(await open({ file: place.file, kind: 'truth', migrations: place.migrations })).toBe('opened');
  expect(await open(place)).toMatch(/^x\.db is damaged: /);
});

it('refuses a link to a database of the user', async () => {
  const place = await arrived();
  const precious = path.join(path.dirname(place.file), 'precious.db');
  renameSync(place.file, precious);
  symlinkSync('precious.db', place.file);
  expect(await open(place)).toBe('x.db is a symbolic link, which ken does not follow here.');
  expect(await open({ ...place, kind: 'derived' })).toBe('opened');
  expect(lstatSync(place.file).isFile()).toBe(true);
  expect(existsSync(precious)).toBe(true);
});

it('refuses a pipe, at which it would wait for ever', async () => {
  const place = await arrived();
  rmSync(place.file);
  execFileSync('mkfifo', [place.file]);
  expect(await open(place)).toBe('x.db is a pipe, not a plain file.');
});

it('refuses a rollback journal, which would be played into the file', async () => {
  const place = await arrived();
  writeFileSync(`${place.file}-journal`, '');
  expect(await open(place)).toBe(`${NOT_OURS}x.db-journal lies beside it, and ken writes no such file.`);
});

it('inspects once, and again when the file was replaced', async () => {
  const place = await arrived();
  await open(place);
  place.tamper("create trigger spy after insert on cup begin update cup set colour = 'black'; end");
  expect(await open(place)).toBe('opened');

  const copy = `${place.file}.copy`;
  copyFileSync(place.file, copy);
  renameSync(copy, place.file);
  expect(await open(place)).toContain('trigger "spy"');
});

/** The log of a copy to which a stranger added a trigger. */
function evilLog(place: Place): Buffer {
  const evil = `${place.file}.evil`;
  copyFileSync(place.file, evil);
  const connection = new DatabaseSync(evil);
  connection.exec("create trigger spy after insert on cup begin update cup set colour = 'black'; end");
  const log = readFileSync(`${evil}-wal`);
  connection.close();
  return log;
}

it('refuses a log with what ken does not make, each time, and does not play it in', async () => {
  const place = await arrived();
  await open(place);
  writeFileSync(`${place.file}-wal`, evilLog(place));
  const bytes = readFileSync(place.file);
  for (const _ of ['first', 'second']) {
    expect(await open(place)).toContain('trigger "spy"');
  }
  expect(readFileSync(place.file).equals(bytes)).toBe(true);
  rmSync(`${place.file}-wal`);
  expect(await open(place)).toBe('opened');
});

it('makes a derived database beside such a log again', async () => {
  const place = await arrived('derived');
  await open(place);
  writeFileSync(`${place.file}-wal`, evilLog(place));
  expect(await open(place)).toBe('opened');
  const connection = new DatabaseSync(place.file);
  expect(connection.prepare("select name from sqlite_schema where type = 'trigger'").all()).toEqual([]);
  connection.close();
});

it('inspects a file that arrived with its log, each time until it is sound', async () => {
  const place = await arrived();
  writeFileSync(`${place.file}-wal`, evilLog(place));
  for (const _ of ['first', 'second']) expect(await open(place)).toContain('trigger "spy"');
});

it('plays in the log of a process of ours that was killed', async () => {
  const place = await arrived();
  const dying = await openDatabase(place);
  await dying.write(() => dying.statement("insert into cup values ('blue')").run());
  expect(place.inspections?.isKnown(place.file)).toBe(true);
  const second = await openDatabase(place);
  const found = await second.read(() => second.statement('select colour from cup').all());
  expect(found.map((row) => row.colour)).toEqual(['blue']);
  await second.close();
  await dying.close();
  expect(place.inspections?.isKnown(place.file)).toBe(true);
});

it('is used by two state directories at once, and after the other one was killed', async () => {
  const place = await arrived();
  const other = { ...place, inspections: inspectionRecord(path.join(path.dirname(place.file), 'other')) };
  await open(place);
  // Killed: never closed, so that its log stays and holds what was acknowledged.
  const killed = await openDatabase(other);
  await killed.write(() => killed.statement("insert into cup values ('blue')").run());
  const colours = async (spec: DatabaseSpec) => {
    const database = await openDatabase(spec);
    const found = await database.read(() => database.statement('select colour from cup').all());
    await database.write(() => database.statement("insert into cup values ('c' || random())").run());
    await database.close();
    return found.length;
  };
  expect(await colours(place)).toBe(1);
  expect(await colours(other)).toBe(2);
  expect(await colours(place)).toBe(3);
  await killed.close();
});

it('knows the log of a process of ours that made the file and has not closed it', async () => {
  const directory = temporaryDirectory();
  const inspections = inspectionRecord(path.join(directory, 'state'));
  const spec: DatabaseSpec = {
    file: path.join(directory, 'x.db'),
    kind: 'truth',
    migrations: [CUPS],
    inspections,
  };
  const first = await openDatabase(spec);
  expect(inspections.isKnown(spec.file)).toBe(true);
  expect(await open(spec)).toBe('opened');
  await first.close();
});

it('takes an empty log for one that a killed process had just begun', async () => {
  const place = await arrived();
  await open(place);
  writeFileSync(`${place.file}-wal`, '');
  expect(await open(place)).toBe('opened');
});

it('opens, and looks again next time, where it can remember nothing', async () => {
  const place = await arrived();
  const directory = path.join(path.dirname(place.file), 'file');
  writeFileSync(directory, '');
  const inspections = inspectionRecord(directory);
  expect(await open({ ...place, inspections })).toBe('opened');
  expect(inspections.isKnown(place.file)).toBe(false);
});
