/** Builds a ledger from whatever can still be read of damaged ones, of copies and of the ledger files. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import { LEDGER_FILES, type LedgerFile } from '../../../domain/ledger/entry/ledger-event.ts';
import { parseTimestamp } from '../../../domain/ledger/entry/timestamp.ts';
import { insertRow, openDamaged, type Row, readRows } from '../seam/damaged-database.ts';
import type { Database } from '../seam/database.ts';
import { strangeRows } from './inspect-ledger.ts';
import { fillTerms } from './ledger-database.ts';

export interface SalvageSources {
  /** Databases, the best one first. Each may be damaged, and is only read. */
  readonly databases: readonly string[];
  /** Lines of the ledger files. */
  lines(file: LedgerFile): readonly string[];
}

export interface Salvaged {
  readonly entries: number;
  readonly versions: number;
  readonly events: number;
  /** Rows that were read but do not fit, such as citations of an entry that is lost. */
  readonly leftOut: number;
}

/** Columns by which the rows of each table are told apart. */
const KEYS = {
  ledger: ['id'],
  entry: ['id'],
  version: ['entry', 'number'],
  citation: ['entry', 'place', 'number'],
  event: ['id'],
  feedback: ['entry'],
  promotion: ['event_id'],
  claim: ['id'],
} as const;
type Table = keyof typeof KEYS;

/** Fills an empty ledger. A Fault when what came of it is no ledger. */
export async function salvageLedger(database: Database, sources: SalvageSources): Promise<Salvaged> {
  const found = gather(sources.databases);
  addLines(found.event, sources);
  addReplayed(found.version, [...found.event.values()].sort(inOrder));
  const leftOut = await database.write(() => fill(database.connection, found));
  const strange = strangeRows(database.connection);
  if (strange)
    throw new Fault('store/corrupt', `The readable part of the ledger is not a ledger: ${strange}.`);
  const count = (table: Table) =>
    Number(database.statement(`select count(*) as number from ${table}`).get()?.number);
  return { entries: count('entry'), versions: count('version'), events: count('event'), leftOut };
}

type Found = Record<Table, Map<string, Row>> & { readonly about: Map<string, Set<string>> };

function gather(files: readonly string[]): Found {
  const tables = Object.keys(KEYS) as Table[];
  const found = {
    ...(Object.fromEntries(tables.map((table) => [table, new Map()])) as Record<Table, Map<string, Row>>),
    about: new Map<string, Set<string>>(),
  };
  for (const file of files) {
    const connection = openDamaged(file);
    if (!connection) continue;
    for (const table of tables)
      for (const row of readableRows(connection, table)) {
        const key = KEYS[table].map((column) => String(row[column])).join('\n');
        if (!found[table].has(key) && isSound(table, row)) found[table].set(key, row);
      }
    for (const { entry, id } of readRows(connection, ABOUT).rows)
      addTo(found.about, String(id), String(entry));
    connection.close();
  }
  return found;
}

/** Damage may leave a row that can be read and is none; another source may have it whole. */
function isSound(table: Table, row: Row): boolean {
  const json = (column: string) => parseJson(String(row[column]));
  const isList = (column: string, fits: (value: Json) => boolean) => {
    const list = json(column);
    return isJsonList(list) && list.every(fits);
  };
  const isText = (value: Json | undefined) => typeof value === 'string';
  if (table === 'event')
    return (
      isJsonObject(json('data')) &&
      isList('changes', isJsonObject) &&
      (LEDGER_FILES as Readonly<Record<string, string>>)[String(row.type)] === (row.file ?? undefined)
    );
  if (table === 'promotion') return isList('evidence', isText);
  if (table !== 'version') return true;
  const labels = json('labels');
  return isList('tags', isText) && isJsonObject(labels) && Object.values(labels).every(isText);
}

const ABOUT =
  'select event_entry.entry, event.id from event_entry join event on event.position = event_entry.event';

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

/** From the beginning and from the end up to the first damage; of tables with row ids also each row between. */
function* readableRows(connection: DatabaseSync, table: Table): Generator<Row> {
  const hasRowIds = table === 'version' || table === 'event';
  const order: readonly string[] = hasRowIds ? ['position'] : KEYS[table];
  const forwards = readRows(connection, `select * from ${table} order by ${order.join(', ')}`);
  yield* forwards.rows;
  if (forwards.isWhole) return;
  const down = order.map((column) => `${column} desc`).join(', ');
  const backwards = readRows(connection, `select * from ${table} order by ${down}`);
  yield* backwards.rows;
  if (!hasRowIds) return;
  const first = Number(forwards.rows.at(-1)?.position ?? 0) + 1;
  const last = Number(backwards.rows.at(-1)?.position ?? Number.MAX_SAFE_INTEGER);
  yield* probed(connection, table, { first, last });
}

/** Row ids in a row that are tried in vain before the rest is given up. */
const MOST_MISSES = 500;

/** Asks for each row id between two damaged places. */
function* probed(
  connection: DatabaseSync,
  table: Table,
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Row> {
  for (let position = first, misses = 0; position < last && misses < MOST_MISSES; position++) {
    const { rows } = readRows(connection, `select * from ${table} where position = ${position}`);
    misses = rows.length === 0 ? misses + 1 : 0;
    yield* rows;
  }
}

const inOrder = (one: Row, other: Row) =>
  Number(one.at) - Number(other.at) || Number(one.position ?? 0) - Number(other.position ?? 0);

/** Events that only a ledger file still has. Promotions are read from their file whenever a ledger is opened. */
function addLines(events: Map<string, Row>, { lines }: SalvageSources): void {
  for (const [type, file] of Object.entries(LEDGER_FILES)) {
    if (type === 'promotion' || type === 'revocation') continue;
    for (const line of lines(file)) {
      const value = parseJson(line);
      const row = isJsonObject(value) ? eventRow(type, file, value) : undefined;
      if (row && !events.has(String(row.id))) events.set(String(row.id), row);
    }
  }
}

function eventRow(type: string, file: LedgerFile, line: JsonObject): Row | undefined {
  const { event_id: id, ts, actor, run_id: run, ...data } = line;
  const at = secondsIn(ts);
  if (typeof id !== 'string' || at === undefined) return undefined;
  const texts = { id, type, actor: String(actor), run: String(run), data: JSON.stringify(data) };
  return { ...texts, at, changes: '[]', file, is_in_file: 1 };
}

function secondsIn(value: Json | undefined): number | undefined {
  try {
    return typeof value === 'string' ? parseTimestamp(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Versions that only their events still have: the events alone hold the whole history. */
function addReplayed(versions: Map<string, Row>, events: readonly Row[]): void {
  const latest = new Map<string, Row>();
  for (const event of events) {
    const changes = parseJson(String(event.changes));
    for (const change of isJsonList(changes) ? changes : []) {
      const [entry, number] = [memberOf(change, 'id'), memberOf(change, 'version')];
      if (!isJsonObject(change) || typeof entry !== 'string' || typeof number !== 'number') continue;
      const row = replayed(latest.get(entry), change, Number(event.at));
      if (!row) continue;
      latest.set(entry, { ...row, entry, number });
      const key = `${entry}\n${number}`;
      if (!versions.has(key)) versions.set(key, { ...row, entry, number });
    }
  }
}

function replayed(before: Row | undefined, change: JsonObject, at: number): Row | undefined {
  if (!before && change.version !== 1) return undefined;
  const after: Row = { ...before, created: before?.created ?? at, since: at, written: at, until: null };
  for (const [name, value] of Object.entries(change)) {
    const column = name === 'expires_ts' ? 'expires' : name;
    if (!VERSION_FIELDS.has(column)) continue;
    if (column === 'expires') after.expires = secondsIn(value) ?? null;
    else
      after[column] =
        isJsonList(value) || isJsonObject(value) ? JSON.stringify(value) : (value as SQLInputValue);
  }
  return after;
}

const VERSION_FIELDS = new Set([
  ...[
    'title',
    'text',
    'provenance',
    'claim_id',
    'claim_stance',
    'merge_key',
    'status',
    'ttl_policy',
    'expires',
    'tags',
    'labels',
  ],
]);

/** Returns the number of rows that do not fit. */
function fill(connection: DatabaseSync, found: Found): number {
  let leftOut = 0;
  const put = (table: string, rows: Iterable<Row>) => {
    for (const row of rows) if (!insertFitting(connection, table, row)) leftOut += 1;
  };
  // Marks of the operator hold for this ledger alone.
  const [ledger] = found.ledger.values();
  if (ledger) connection.prepare('update ledger set id = ?').run(String(ledger.id));
  put('entry', entriesOf(found));
  put('version', chained(found.version.values()));
  connection.exec(`
    delete from entry where id not in (select entry from version);
    update entry set supersedes = null where supersedes not in (select id from entry);
  `);
  const known = new Set(
    connection
      .prepare('select id from entry')
      .all()
      .map(({ id }) => String(id)),
  );
  const ofKnown = (rows: Iterable<Row>) => [...rows].filter(({ entry }) => known.has(String(entry)));
  put('citation', ofKnown(found.citation.values()));
  put('feedback', ofKnown(found.feedback.values()));
  put('promotion', found.promotion.values());
  put('claim', found.claim.values());
  for (const event of [...found.event.values()].sort(inOrder)) {
    const { position: _, ...row } = event;
    if (!insertRow(connection, 'event', row)) leftOut += 1;
    for (const entry of aboutOf(event, found.about))
      connection
        .prepare('insert or ignore into event_entry select ?, position from event where id = ?')
        .run(entry, String(event.id));
  }
  fillTerms(connection);
  return leftOut;
}

function aboutOf(event: Row, about: Found['about']): ReadonlySet<string> {
  const changes = parseJson(String(event.changes));
  const changed = (isJsonList(changes) ? changes : []).map((change) => memberOf(change, 'id'));
  return new Set([
    ...(about.get(String(event.id)) ?? []),
    ...changed.filter((id): id is string => typeof id === 'string'),
  ]);
}

/** With those that only their versions still name, and each after the one it supersedes. */
function entriesOf({ entry, version }: Found): Row[] {
  const rows = new Map([...entry.values()].map((row) => [String(row.id), row]));
  for (const { entry: id, created } of version.values())
    if (!rows.has(String(id)))
      rows.set(String(id), { id: String(id), created: created ?? 0, supersedes: null });
  const placed = new Set<string>();
  const ordered: Row[] = [];
  const place = (row: Row | undefined, depth: number) => {
    if (!row || placed.has(String(row.id)) || depth > MOST_LINKS) return;
    placed.add(String(row.id));
    place(row.supersedes == null ? undefined : rows.get(String(row.supersedes)), depth + 1);
    ordered.push(rows.has(String(row.supersedes)) ? row : { ...row, supersedes: null });
  };
  for (const row of rows.values()) place(row, 0);
  return ordered;
}

const MOST_LINKS = 1000;

/** Each version ends when the next one of its entry begins. */
function chained(versions: Iterable<Row>): Row[] {
  const byEntry = Map.groupBy(versions, ({ entry }) => String(entry));
  return [...byEntry.values()].flatMap((rows) => {
    const sorted = rows.sort((one, other) => Number(one.number) - Number(other.number));
    return sorted.map(({ position: _, ...row }, at) => ({ ...row, until: sorted[at + 1]?.since ?? null }));
  });
}

/** False for a row that the ledger does not take. A merge key that another entry holds is given up. */
function insertFitting(connection: DatabaseSync, table: string, row: Row): boolean {
  if (insertRow(connection, table, row)) return true;
  return table === 'version' && row.merge_key != null
    ? insertRow(connection, table, { ...row, merge_key: null })
    : false;
}
