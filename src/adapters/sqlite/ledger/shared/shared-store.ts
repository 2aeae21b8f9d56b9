import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import type { LedgerEvent, Stamp } from '../../../../domain/ledger/entry/ledger-event.ts';
import { claimOfKey } from '../../../../domain/ledger/entry/stated-claim.ts';
import { planAcceptance } from '../../../../domain/ledger/shared/plan-acceptance.ts';
import type { SharedFinding, SharedLedger } from '../../../../domain/ledger/shared/shared-ledger.ts';
import type { LedgerStore } from '../../../../domain/ledger/store.ts';
import type { Database } from '../../seam/database.ts';
import { claimRows } from '../ledger-claims.ts';
import { ledgerReader } from '../ledger-reader.ts';
import { type SealedDatabase, sealedDatabase } from '../ledger-seal.ts';
import { ledgerWriter } from '../ledger-writer.ts';
import { changedFiles, nextDue, readFiles, refold, type SharedOutlets } from './receive-events.ts';
import { sendEvents } from './send-events.ts';
import { type SharedRow, sharedRows } from './shared-rows.ts';

export interface SharedLedgerStores {
  readonly ledger: LedgerStore;
  readonly sharedLedger: SharedLedger;
  /** Takes in what others have sent since the last time. */
  receive(): Promise<void>;
}

const WRITING: ReadonlySet<string> = new Set([
  'add',
  'changeStatus',
  'decay',
  'recordVerdicts',
  'promote',
  'revoke',
  'importHistories',
  'stateClaim',
] satisfies (keyof LedgerStore)[]);

/** A ledger that is shared through git: what others have sent is in it before each use, and each change is sent. */
export async function sharedLedgerStores(
  plain: Database,
  store: LedgerStore,
  outlets: SharedOutlets,
): Promise<SharedLedgerStores> {
  const database = sealedDatabase(plain, outlets.key);
  const receive = receiver(database, outlets);
  const send = () => sendEvents(database, outlets);
  await receive();
  await send();
  const ledger = new Proxy(store, {
    get(target, name: string & keyof LedgerStore) {
      // Otherwise a promise of the store would take it for another promise.
      if (!(name in target)) return undefined;
      return async (...input: never[]) => {
        await receive();
        const method = target[name] as (...given: never[]) => Promise<unknown>;
        const result = await method(...input);
        if (WRITING.has(name)) await send();
        return result;
      };
    },
  });
  return { ledger, receive, sharedLedger: sharedLedger(database, outlets, { receive, send }) };
}

function receiver(database: SealedDatabase, outlets: SharedOutlets): () => Promise<void> {
  let seen = '';
  // An event is set aside only when the file that it came in has changed.
  let due = Number.POSITIVE_INFINITY;
  let isWarned = false;
  return async () => {
    try {
      const listed = outlets.shared.list();
      const now = JSON.stringify(listed);
      if (now === seen && due > outlets.now()) return;
      due = await database.read(() => nextDue(database));
      const isChanged = await database.read(() => changedFiles(database, listed).length > 0);
      if (isChanged || due <= outlets.now()) {
        await database.write(() => {
          readFiles(database, outlets, changedFiles(database, listed));
          refold(database, outlets);
        });
        due = await database.read(() => nextDue(database));
      }
      seen = now;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (!isWarned) outlets.warn(`what others have shared is not read: ${error.message}`);
      isWarned = true;
    }
  };
}

interface Exchange {
  receive(): Promise<void>;
  send(): Promise<void>;
}

function sharedLedger(
  database: SealedDatabase,
  outlets: SharedOutlets,
  { receive, send }: Exchange,
): SharedLedger {
  const rows = sharedRows(database, outlets.key, outlets);
  const reader = ledgerReader(database);
  const waiting = (eventId: string): SharedRow => {
    const row = rows.inState('proposed').find(({ event }) => event.eventId === eventId);
    if (row) return row;
    throw new Fault('ledger/not-found', `No proposal "${eventId}" waits.`, {
      hint: 'See "ken knowledge proposals".',
    });
  };
  return {
    async proposals() {
      await receive();
      return database.read(() =>
        rows.inState('proposed').map(({ event, why }) => ({ event, why: why ?? 'it waits for you' })),
      );
    },
    async accept({ eventId, stamp }) {
      await receive();
      const ids = await database.write(() => {
        const row = waiting(eventId);
        const settle = () => {
          rows.settle(row, 'accepted');
          refold(database, outlets);
        };
        if (row.event.type === 'claim') {
          const ids = restate(database, row.event, stamp);
          settle();
          return ids;
        }
        const change = planAcceptance(
          { entry: (id) => reader.entry(id), holder: (key) => reader.holder(key) },
          { proposed: row.event, stamp },
        );
        ledgerWriter(database).apply(change);
        settle();
        return change.versions.map(({ id }) => id);
      });
      await send();
      return [...new Set(ids)];
    },
    async decline({ eventId }) {
      await receive();
      await database.write(() => {
        rows.settle(waiting(eventId), 'declined');
        refold(database, outlets);
      });
    },
    async findings() {
      await receive();
      return database.read(() => findingsIn(database, rows));
    },
  };
}

/** Takes over the words of somebody else. */
function restate(database: SealedDatabase, { changes }: LedgerEvent, stamp: Stamp): string[] {
  return changes.flatMap(({ id: key, text }) => {
    const id = claimOfKey(String(key));
    return id === undefined ? [] : [claimRows(database).state({ id, text: String(text), stamp }).id];
  });
}

function findingsIn({ statement }: SealedDatabase, rows: ReturnType<typeof sharedRows>): SharedFinding[] {
  const eventText = ({ event }: SharedRow) => `${event.eventId} of ${event.actor}`;
  const about = ({ event }: SharedRow) => event.changes.map(({ id }) => String(id));
  return [
    ...statement('select * from shared_pair order by merge_key, superseded')
      .all()
      .map((row) => ({
        kind: 'shared_pair' as const,
        ids: [String(row.active), String(row.superseded)],
        message: `Both were active under "${row.merge_key}"; ${row.active} is, and ${row.superseded} is superseded.`,
      })),
    ...rows.inState('twin').map((row) => ({
      kind: 'shared_twin' as const,
      ids: about(row),
      message: `The event ${eventText(row)} has an id that another event has, and does not count (${row.digest.slice(0, 12)}).`,
    })),
    ...rows.inState('ahead').map((row) => ({
      kind: 'shared_ahead' as const,
      ids: about(row),
      message: `The event ${eventText(row)} comes from a clock that is more than a day ahead, and does not count yet.`,
    })),
    ...rows.inState('waiting').map((row) => ({
      kind: 'shared_waiting' as const,
      ids: about(row),
      message: `The event ${eventText(row)} changes an entry that has not come.`,
    })),
    ...statement('select name, bad, problem from shared_file where problem is not null order by name')
      .all()
      .map(({ name, bad, problem }) => ({
        kind: 'shared_line' as const,
        ids: [],
        message:
          bad === 0
            ? `${name} is not read: ${problem}.`
            : `${name} has ${counted(Number(bad), 'line')} that ken cannot read; ${problem}.`,
      })),
  ];
}
