/** Marks the rows of a ledger as this operator's, and tells them from the rows of others. */

import type { DatabaseSync } from 'node:sqlite';
import type { EntryVersion, KeptCitation, Verification } from '../../../domain/ledger/entry/entry.ts';
import type { LedgerEvent } from '../../../domain/ledger/entry/ledger-event.ts';
import {
  claimStatement,
  eventStatement,
  type OperatorKey,
  promotionStatement,
  verdictStatement,
  versionStatement,
} from '../../../domain/ledger/entry/operator-key.ts';
import type { StatedClaim } from '../../../domain/ledger/entry/stated-claim.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import type { Database } from '../seam/database.ts';
import { eventFrom, promotionFrom, versionFrom } from './ledger-rows.ts';

export interface SealedDatabase extends Database {
  readonly seal: LedgerSeal;
}

export type LedgerSeal = ReturnType<typeof ledgerSeal>;

export function sealedDatabase(database: Database, key: OperatorKey): SealedDatabase {
  return { ...database, seal: ledgerSeal(database, key) };
}

/** Macs are null without a key. */
export function ledgerSeal({ statement }: Pick<Database, 'statement'>, key: OperatorKey) {
  // Read each time: a restore may put another ledger into the same file.
  const ledger = () => String(statement('select id from ledger').get()?.id);
  const sign = (text: string) => key.sign(text) ?? null;
  const isOurs = (mac: unknown, text: () => string) => {
    try {
      return typeof mac === 'string' && key.verify(text(), mac);
    } catch {
      // JSON that is nested too deeply is not of ken.
      return false;
    }
  };
  return {
    event: (event: LedgerEvent) => sign(eventStatement(ledger(), event)),
    /** A step that keeps the text of a claim does not make it this operator's. */
    version: (version: EntryVersion) => (version.isClaim ? null : sign(versionStatement(ledger(), version))),
    verdict: (entry: string, citation: Pick<KeptCitation, 'provenance' | 'sha256'>, found: Verification) =>
      sign(verdictStatement(ledger(), entry, citation, found)),
    promotion: (promotion: Promotion) =>
      promotion.isClaim ? null : sign(promotionStatement(ledger(), promotion)),
    claim: (claim: StatedClaim) => (claim.isForeign ? null : sign(claimStatement(ledger(), claim))),
    checkedClaim(claim: StatedClaim, mac: unknown): StatedClaim {
      return isOurs(mac, () => claimStatement(ledger(), claim)) ? claim : { ...claim, isForeign: true };
    },
    checkedEvent<Event extends LedgerEvent>(event: Event, mac: unknown): Event {
      return isOurs(mac, () => eventStatement(ledger(), event)) ? event : { ...event, isClaim: true };
    },
    checkedVersion<Version extends EntryVersion>(version: Version, mac: unknown): Version {
      return isOurs(mac, () => versionStatement(ledger(), version)) ? version : { ...version, isClaim: true };
    },
    /** Without a verdict that is not this operator's. */
    checkedCitation(entry: string, citation: KeptCitation, mac: unknown): KeptCitation {
      const { verified } = citation;
      const isKnown = verified && isOurs(mac, () => verdictStatement(ledger(), entry, citation, verified));
      return isKnown ? citation : { ...citation, verified: undefined };
    },
    checkedPromotion(promotion: Promotion, mac: unknown): Promotion {
      const isKnown = isOurs(mac, () => promotionStatement(ledger(), promotion));
      return isKnown ? promotion : { ...promotion, isClaim: true };
    },
  };
}

/**
 * Marks everything that a ledger holds, for one that this operator has used before there were marks. Verdicts stay
 * unmarked: they may have come with a clone, and checking again is cheap.
 */
export function adoptRows(connection: DatabaseSync, key: OperatorKey): void {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (sql: string) => {
    const known = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const seal = ledgerSeal({ statement }, key);
  for (const row of statement('select * from event').iterate())
    statement('update event set mac = ? where id = ?').run(seal.event(eventFrom(row)), String(row.id));
  // All columns: of a ledger that is this old, some are not there yet.
  const versions = 'select v.*, e.supersedes from version v join entry e on e.id = v.entry';
  const markVersion = 'update version set mac = ? where entry = ? and number = ?';
  for (const row of statement(versions).iterate())
    statement(markVersion).run(seal.version(versionFrom(row)), String(row.entry), Number(row.number));
  for (const row of statement('select * from promotion').all())
    statement('update promotion set mac = ? where event_id = ?').run(
      seal.promotion(promotionFrom(row)),
      String(row.event_id),
    );
}
