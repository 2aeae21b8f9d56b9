/** Takes lines of others into the ledger, and brings its entries to what all events say. */

import type { JsonObject } from '../../../../base/json.ts';
import { LEDGER_FILES, type LedgerEvent } from '../../../../domain/ledger/entry/ledger-event.ts';
import type { OperatorKey } from '../../../../domain/ledger/entry/operator-key.ts';
import { foldEvents } from '../../../../domain/ledger/shared/fold-events.ts';
import type { SharedFiles } from '../../../../domain/ledger/shared/shared-ledger.ts';
import {
  DAY_MS,
  digestOf,
  erasedIds,
  isBase,
  type LinePorts,
  parseSharedLine,
  type SharedEvent,
  sharedLine,
  ulidTime,
} from '../../../../domain/ledger/shared/shared-line.ts';
import { claimRows } from '../ledger-claims.ts';
import { eventFrom } from '../ledger-rows.ts';
import type { SealedDatabase } from '../ledger-seal.ts';
import { ledgerWriter } from '../ledger-writer.ts';
import { type SharedRow, type SharedState, sharedRows } from './shared-rows.ts';
import { writeFolded } from './write-folded.ts';

export interface SharedOutlets extends LinePorts {
  readonly shared: SharedFiles;
  readonly key: OperatorKey;
  /** Milliseconds since the epoch. */
  now(): number;
  warn(text: string): void;
}

type Listed = ReturnType<SharedFiles['list']>;

/** Files whose content may have changed since they were read. */
export function changedFiles({ statement }: SealedDatabase, listed: Listed): Listed {
  const known = new Map(
    statement('select name, stamp from shared_file')
      .all()
      .map(({ name, stamp }) => [String(name), String(stamp)]),
  );
  return listed.filter(({ name, stamp }) => known.get(name) !== stamp);
}

/** The moment from which an event that was set aside counts, in milliseconds; infinite without one. Reads all events. */
export function nextDue({ statement }: SealedDatabase): number {
  const due = statement("select min(due) as due from shared_event where state = 'ahead'").get()?.due;
  return typeof due === 'number' ? due : Number.POSITIVE_INFINITY;
}

const UNREADABLE = 'it has more than 64 MB, or is not a plain file';

/** Inside a writing transaction. A line that is missing deletes nothing. */
export function readFiles(database: SealedDatabase, outlets: SharedOutlets, files: Listed): void {
  const erased = erasedBefore(database);
  for (const { name, stamp } of files) {
    let bad = 0;
    const content = outlets.shared.read(name);
    let problem = content === undefined ? UNREADABLE : null;
    for (const [at, text] of (content ?? '').split('\n').entries()) {
      if (text.trim() === '') continue;
      const line = parseSharedLine(text, outlets);
      if ('problem' in line) {
        problem ??= `line ${at + 1}: ${line.problem}`;
        bad++;
      } else takeLine(database, outlets, line, erased);
    }
    database
      .statement('insert or replace into shared_file (name, stamp, bad, problem) values (?, ?, ?, ?)')
      .run(name, stamp, bad, problem);
  }
}

/** The operator's erasures: what they name does not come back into the database. */
function erasedBefore({ statement, seal }: SealedDatabase): ReadonlyMap<string, string> {
  const last = new Map<string, string>();
  for (const row of statement("select * from event where type = 'erase'").all()) {
    const event = seal.checkedEvent(eventFrom(row), row.mac);
    if (event.isClaim) continue;
    for (const id of erasedIds(event.data) ?? [])
      if ((last.get(id) ?? '') < event.eventId) last.set(id, event.eventId);
  }
  return last;
}

function takeLine(
  database: SealedDatabase,
  outlets: SharedOutlets,
  given: SharedEvent,
  erased: ReadonlyMap<string, string>,
): void {
  const { statement, seal } = database;
  const isErased = ({ id }: JsonObject) => (erased.get(String(id)) ?? '') > given.event.eventId;
  const { changes } = given.event;
  const left = changes.filter((change) => !isErased(change));
  if (changes.length > 0 && left.length === 0) return;
  const isOwn = seal.checkedEvent(given.event, given.mac).isClaim === undefined;
  const has = (table: 'event' | 'shared_event') =>
    statement(`select 1 from ${table} where id = ?`).get(given.event.eventId) !== undefined;
  for (const change of left)
    if (isBase(change)) statement('insert or ignore into shared_base values (?)').run(String(change.id));
  if (isOwn) {
    if (!has('event')) putEvent(database, given.event);
    return;
  }
  // An erasure changes lines, so that the same event has come in two forms.
  const isChanged = erased.size > 0 && (left.length < changes.length || given.ledger === ledgerId(database));
  if (isChanged && (has('event') || has('shared_event'))) return;
  const line = left.length < changes.length ? { ...given, event: { ...given.event, changes: left } } : given;
  const rows = sharedRows(database, outlets.key, outlets);
  const digest = digestOf(outlets.hasher, line.event);
  const text = sharedLine(line.event, given.ledger, given.mac);
  rows.put({ ...line, digest }, text, ulidTime(line.event.eventId) - DAY_MS);
}

function ledgerId({ statement }: SealedDatabase): string {
  return String(statement('select id from ledger').get()?.id);
}

/** An event in the history of its entries. One of this operator gets the mark again. */
function putEvent(database: SealedDatabase, event: LedgerEvent): void {
  const about = event.changes.map(({ id }) => String(id));
  ledgerWriter(database).record(event, about);
  const mac = event.isClaim ? null : database.seal.event(event);
  database
    .statement('update event set is_in_file = 1, is_shared = 1, mac = ?, file = ? where id = ?')
    .run(mac, LEDGER_FILES[event.type] ?? null, event.eventId);
}

/** Inside a writing transaction: folds all events again, and writes what is different. */
export function refold(database: SealedDatabase, outlets: SharedOutlets): void {
  const { statement, seal } = database;
  const rows = sharedRows(database, outlets.key, outlets);
  const foreign = rows.all();
  const foreignIds = new Set(foreign.map(({ event }) => event.eventId));
  const own = statement("select * from event where changes <> '[]' or type = 'erase'")
    .all()
    .map((row) => ({ event: seal.checkedEvent(eventFrom(row), row.mac), digest: '', isForeign: false }))
    .filter(({ event }) => !(event.isClaim && foreignIds.has(event.eventId)));
  const ownIds = new Set(own.map(({ event }) => event.eventId));
  const isAhead = ({ due }: SharedRow) => due > outlets.now();
  const counting = foreign.filter(
    (row) => !isAhead(row) && row.settled === undefined && !ownIds.has(row.event.eventId),
  );
  const firsts = new Set<string>();
  const twins = new Set<SharedRow>();
  for (const row of counting) {
    if (firsts.has(row.event.eventId)) twins.add(row);
    firsts.add(row.event.eventId);
  }
  const folded = foldEvents([
    ...own,
    ...counting.map(({ event, digest }) => ({ event, digest, isForeign: true })),
  ]);
  const named = new Set(foreign.flatMap(({ event }) => event.changes.map(({ id }) => String(id))));
  for (const row of foreign) {
    const outcome = folded.outcomes.get(row.event.eventId) ?? { state: 'waiting' as const };
    const state: SharedState = row.settled
      ? 'settled'
      : isAhead(row)
        ? 'ahead'
        : ownIds.has(row.event.eventId) || twins.has(row)
          ? 'twin'
          : outcome.state;
    const why = state === 'proposed' && 'why' in outcome ? outcome.why : undefined;
    if (state !== row.state || why !== row.why) rows.setState(row, state, why);
    if (state !== 'twin') keepEvent(database, row.event, state === 'counted');
  }
  writeFolded(database, folded, named);
  claimRows(database).writeFolded(folded.claims, named);
  statement('delete from shared_pair').run();
  for (const { mergeKey, active, superseded } of folded.pairs)
    statement('insert or ignore into shared_pair values (?, ?, ?)').run(mergeKey, active, superseded);
}

/** The history has the events that count, and not those that wait. */
function keepEvent(database: SealedDatabase, event: LedgerEvent, isCounted: boolean): void {
  const { statement } = database;
  const row = statement('select position from event where id = ?').get(event.eventId);
  if (isCounted && !row) putEvent(database, { ...event, isClaim: true });
  if (isCounted || !row) return;
  statement('delete from event_entry where event = ?').run(Number(row.position));
  statement('delete from event where position = ?').run(Number(row.position));
}
