import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import { type PromotionLine, parsePromotionLine } from '../../../domain/ledger/promotion/promotion-line.ts';
import type { Database } from '../seam/database.ts';
import type { LedgerOutlets } from './ledger-outbox.ts';
import { promotionValues } from './ledger-rows.ts';

const FILE = 'knowledge.promotions.jsonl';

/** Adds lines that the database does not have; reports and skips a bad line. */
export async function importPromotions(database: Database, { files, warn }: LedgerOutlets): Promise<void> {
  const lines = goodLines(files.lines(FILE), warn);
  if (lines.length === 0) return;
  const known = await knownPromotions(database);
  const fresh = lines.flatMap((line) =>
    line.kind === 'promotion' && !known.has(line.promotion.eventId) ? [line.promotion] : [],
  );
  const fits = new Set(fresh.map(({ eventId }) => eventId));
  const revoked = lines.flatMap((line) =>
    line.kind === 'revocation' && (known.get(line.revokes) === false || fits.has(line.revokes))
      ? [line.revokes]
      : [],
  );
  if (fresh.length + revoked.length === 0) return;
  await database.write(() => {
    for (const promotion of fresh) insert(database, promotion);
    for (const id of revoked) {
      database.statement('update promotion set is_revoked = 1 where event_id = ?').run(id);
    }
  });
}

function goodLines(texts: readonly string[], warn: (text: string) => void): PromotionLine[] {
  let bad = 0;
  const lines = texts.flatMap((text, at) => {
    if (text.trim() === '') return [];
    const line = parsePromotionLine(text);
    if (line.kind !== 'bad') return [line];
    if (++bad <= MOST_TOLD) warn(`${FILE} line ${at + 1} is passed over: ${line.problem}`);
    return [];
  });
  if (bad > MOST_TOLD)
    warn(`${FILE} has ${bad - MOST_TOLD} more lines that are passed over; see "ken knowledge audit"`);
  return lines;
}

const MOST_TOLD = 5;

/** By event id, whether it was revoked. */
async function knownPromotions({ read, statement }: Database): Promise<ReadonlyMap<string, boolean>> {
  const rows = await read(() => statement('select event_id, is_revoked from promotion').all());
  return new Map(rows.map(({ event_id, is_revoked }) => [String(event_id), is_revoked === 1]));
}

/** An approval that another promotion names already is not accepted a second time. */
function insert(database: Database, promotion: Promotion): void {
  const isTaken = database.statement('select 1 from promotion where approval_id = ? or event_id = ?');
  const { approvalId, eventId } = promotion;
  if (isTaken.get('', eventId)) return;
  const isBelieved = approvalId !== undefined && !isTaken.get(approvalId, '');
  const believed = isBelieved ? promotion : { ...promotion, approvalId: undefined };
  database.insert('promotion', promotionValues(believed));
}
