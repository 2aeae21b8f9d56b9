/** Takes entries out of a ledger and its line files, so that no page of the database holds them. */

import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import type { LedgerEvent, Stamp } from '../../../domain/ledger/entry/ledger-event.ts';
import type { OperatorKey } from '../../../domain/ledger/entry/operator-key.ts';
import { claimKey, claimOfKey } from '../../../domain/ledger/entry/stated-claim.ts';
import type { Database } from '../seam/database.ts';
import { fillTerms } from './ledger-database.ts';
import { eventFrom } from './ledger-rows.ts';
import { type SealedDatabase, sealedDatabase } from './ledger-seal.ts';
import { ledgerWriter } from './ledger-writer.ts';

export interface EntryErasure {
  readonly ids: readonly string[];
  /** Whether a text says something that is erased. */
  holds(text: string): boolean;
  /** Recorded in the ledger that is in use. */
  readonly stamp?: Stamp;
  /** Changes each line of the ledger files, while nobody can write to them; undefined: the line goes. */
  rewriteLines(change: LineChange): void;
}

export type LineChange = (line: string) => string | undefined;

export function ledgerIdIn(connection: DatabaseSync): string | undefined {
  const hasId = connection.prepare("select 1 from sqlite_schema where name = 'ledger'").get();
  const id = hasId && connection.prepare('select id from ledger').get()?.id;
  return id === undefined ? undefined : String(id);
}

/** The entry or the claim, if it is there, and the rules that were made from it: they say the same. */
export function withRules(connection: DatabaseSync, id: string): string[] {
  const rules = connection.prepare(
    'select id from entry where id in (select consumed_by from promotion where source = ?)',
  );
  const claim = claimOfKey(id);
  if (claim !== undefined) return hasClaim(connection, claim) ? [id] : [];
  const entry = connection.prepare('select id from entry where id = ?').all(id);
  return [...new Set([...entry, ...rules.all(id)].map((row) => String(row.id)))];
}

/** Copies of an earlier ken have no claims. */
function hasClaim(connection: DatabaseSync, id: string): boolean {
  const hasTable = connection.prepare("select 1 from sqlite_schema where name = 'claim'").get();
  return (
    hasTable !== undefined && connection.prepare('select 1 from claim where id = ?').get(id) !== undefined
  );
}

export async function eraseEntries(plain: Database, key: OperatorKey, erasure: EntryErasure): Promise<void> {
  const database = sealedDatabase(plain, key);
  const { connection, statement } = database;
  connection.exec('pragma secure_delete = on');
  await database.write(() => {
    const ids = JSON.stringify(erasure.ids);
    const promotions = new Set(
      statement(PROMOTIONS)
        .all({ ids })
        .map(({ event_id }) => String(event_id)),
    );
    const dropped = eraseEvents(database, erasure, promotions);
    erasure.rewriteLines((line) => lineWithout(line, erasure, dropped, promotions));
    eraseShared(database, erasure, dropped, promotions);
    for (const sql of DELETIONS) statement(sql).run({ ids });
    statement("insert into version_words (version_words) values ('delete-all')").run();
    fillTerms(connection);
    if (erasure.stamp)
      ledgerWriter(database).record(
        { ...erasure.stamp, type: 'erase', data: { ids: erasure.ids }, changes: [] },
        [],
      );
  });
  connection.exec('vacuum');
  const [log] = connection.prepare('pragma wal_checkpoint(truncate)').all();
  if (log?.busy === 1)
    throw new Fault(
      'store/busy',
      'Another process is reading the ledger, so that its log still holds the text.',
      {
        hint: 'Run the same command again when no other ken is at work here.',
      },
    );
}

const AMONG = '(select value from json_each(:ids))';
const PROMOTIONS = `select event_id from promotion where source in ${AMONG} or consumed_by in ${AMONG}`;
const DELETIONS = [
  `update entry set supersedes = null where supersedes in ${AMONG}`,
  ...['citation', 'feedback', 'version', 'event_entry'].map(
    (table) => `delete from ${table} where entry in ${AMONG}`,
  ),
  `delete from promotion where source in ${AMONG} or consumed_by in ${AMONG}`,
  `delete from entry where id in ${AMONG}`,
  `delete from shared_base where entry in ${AMONG}`,
  `delete from claim where '${claimKey('')}' || id in ${AMONG}`,
];

const CONCERNED = `
  select event.*, exists (
    select 1 from event_entry where event_entry.event = event.position and entry in ${AMONG}
  ) as is_about
  from event where type = 'retrieval' or is_about
    or id in (select value from json_each(:promotions))
    or data ->> 'revokes' in (select value from json_each(:promotions))`;

/** Ids of the events that are gone. Others lose what they say about the entries. */
function eraseEvents(
  { statement, seal }: SealedDatabase,
  erasure: EntryErasure,
  promotions: ReadonlySet<string>,
): ReadonlySet<string> {
  const { ids, holds } = erasure;
  const dropped = new Set<string>();
  const concerned = statement(CONCERNED)
    .all({ ids: JSON.stringify(ids), promotions: JSON.stringify([...promotions]) })
    .filter((row) => row.type !== 'retrieval' || row.is_about === 1 || holds(String(row.data)));
  for (const row of concerned) {
    const event = eventFrom(row);
    const position = Number(row.position);
    const about = statement('select entry from event_entry where event = ?').all(position);
    const isAboutThemOnly = about.length > 0 && about.every(({ entry }) => ids.includes(String(entry)));
    const isGone = promotions.has(event.eventId) || promotions.has(String(event.data.revokes));
    if (isGone || (isAboutThemOnly && !event.type.match(/^(?:retrieval|decay)$/))) {
      statement('delete from event_entry where event = ?').run(position);
      statement('delete from event where position = ?').run(position);
      dropped.add(event.eventId);
      continue;
    }
    const next: LedgerEvent = {
      ...event,
      data: scrubbed(event.data, erasure) as JsonObject,
      changes: scrubbed(event.changes, erasure) as JsonObject[],
    };
    const mac = seal.checkedEvent(event, row.mac).isClaim ? null : seal.event(next);
    statement('update event set data = ?, changes = ?, mac = ? where position = ?').run(
      JSON.stringify(next.data),
      JSON.stringify(next.changes),
      mac,
      position,
    );
  }
  return dropped;
}

/** Events of others, which are kept as the lines that they were. */
function eraseShared(
  { statement }: SealedDatabase,
  erasure: EntryErasure,
  dropped: ReadonlySet<string>,
  promotions: ReadonlySet<string>,
): void {
  for (const { id, digest, line } of statement('select id, digest, line from shared_event').all()) {
    const left = lineWithout(String(line), erasure, dropped, promotions);
    // What is left of a line is read from its file again.
    if (left !== line)
      statement('delete from shared_event where id = ? and digest = ?').run(String(id), String(digest));
  }
}

/** Without list items about the entries, and without a question that says what is erased. */
function scrubbed(value: Json, erasure: EntryErasure): Json {
  if (isJsonList(value))
    return value.filter((each) => !isAbout(each, erasure)).map((each) => scrubbed(each, erasure));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isErased = name === 'query' && typeof each === 'string' && erasure.holds(each);
      return [name, isErased ? '' : scrubbed(each, erasure)];
    }),
  );
}

function isAbout(value: Json, { ids }: EntryErasure): boolean {
  const id = typeof value === 'string' ? value : memberOf(value, 'id');
  return typeof id === 'string' && ids.includes(id);
}

function lineWithout(
  line: string,
  erasure: EntryErasure,
  dropped: ReadonlySet<string>,
  promotions: ReadonlySet<string>,
): string | undefined {
  const value = parseJson(line);
  if (!isJsonObject(value)) return erasure.holds(line) ? undefined : line;
  // A line of others keeps what it says about other entries; without an erasure's list it would erase nothing.
  if (value.type === 'erase') return line;
  const { changes } = value;
  if (isJsonList(changes) && changes.length > 0 && changes.every((each) => isAbout(each, erasure)))
    return undefined;
  const { event_id, revokes, source_entry_id, target_id } = value;
  const events = [event_id, revokes].map(String);
  const entries = [source_entry_id, target_id].map(String);
  if (events.some((id) => dropped.has(id) || promotions.has(id))) return undefined;
  if (entries.some((id) => erasure.ids.includes(id))) return undefined;
  const next = JSON.stringify(scrubbed(value, erasure));
  return next === JSON.stringify(value) ? line : next;
}
