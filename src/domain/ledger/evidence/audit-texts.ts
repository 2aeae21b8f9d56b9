/**
 * Looks for duplicates and secrets in texts that are read twice, page by page: first each is noted as a few numbers, then
 * those whose numbers are equal are compared.
 */

import { fnv1aOfText } from '../../../base/checksum.ts';
import { secretIn } from '../entry/checked-input.ts';
import type { SharedFindingKind } from '../shared/shared-ledger.ts';
import { areAlike, BANDS, bandKeys, equalRows, shinglesOf } from './near-duplicates.ts';
import type { OpenScratch, Scratch } from './scratch.ts';

export interface AuditedText {
  readonly id: string;
  readonly text: string;
  readonly mergeKey: string | undefined;
}

export type FindingKind =
  | 'exact_duplicate'
  | 'near_duplicate'
  | 'secret'
  | 'contradictory_key'
  | 'orphan_evidence'
  | 'expired_active'
  | 'never_retrieved'
  | 'no_active_tip'
  | 'promotion_ledger'
  | SharedFindingKind;

export interface AuditFinding {
  readonly kind: FindingKind;
  /** Ids of the entries concerned; empty for the ledger files. */
  readonly ids: readonly string[];
  readonly message: string;
}

export type ReceiveFinding = (finding: AuditFinding) => void;

/** Numbers of a text: its bands, its plain text, its merge key, its id. */
const [EXACT, KEY, ID] = [BANDS, BANDS + 1, BANDS + 2];
const COLUMNS = BANDS + 3;

/** `pages` is called twice. Texts that come meanwhile are passed over. */
export async function auditTexts(
  openScratch: OpenScratch,
  pages: () => AsyncIterable<readonly AuditedText[]>,
  receive: ReceiveFinding,
): Promise<void> {
  const scratch = await openScratch(COLUMNS);
  try {
    for await (const page of pages()) {
      for (const text of page) {
        scratch.add(numbersOf(text));
        const rule = secretIn(text.text);
        if (rule !== undefined)
          receive({ kind: 'secret', ids: [text.id], message: `It looks like a secret (${rule}).` });
      }
    }
    const candidates = candidatesIn(scratch);
    if (candidates.wanted.size > 0) await compare(scratch, candidates, pages(), receive);
  } finally {
    scratch.close();
  }
}

function numbersOf({ id, text, mergeKey }: AuditedText): number[] {
  const key = mergeKey === undefined ? 0 : fnv1aOfText(lettersOf(mergeKey)) || 1;
  return [...bandKeys(shinglesOf(text)), fnv1aOfText(plain(text)), key, fnv1aOfText(id)];
}

interface Candidates {
  readonly wanted: ReadonlySet<number>;
  /** Rows to compare with a later one, by that one. */
  readonly earlier: ReadonlyMap<number, ReadonlySet<number>>;
}

function candidatesIn(scratch: Scratch): Candidates {
  const wanted = new Set<number>();
  const earlier = new Map<number, Set<number>>();
  // One room for all columns: the collector would be late to free one for each.
  const [keys, room] = [new Uint32Array(scratch.rows), new Uint32Array(scratch.rows * 2)];
  const groupsOf = (column: number) => equalRows(scratch.column(column, keys), room);
  for (let band = 0; band < BANDS; band++) {
    for (const rows of groupsOf(band)) {
      // Many equal texts are reported as a chain of neighbours, not as all pairs.
      for (const [at, row] of rows.entries()) {
        wanted.add(row);
        const before = rows[at - 1];
        if (before !== undefined) earlier.set(row, (earlier.get(row) ?? new Set()).add(before));
      }
    }
  }
  for (const column of [EXACT, KEY])
    for (const rows of groupsOf(column)) for (const row of rows) wanted.add(row);
  return { wanted, earlier };
}

interface Compared extends AuditedText {
  readonly plain: string;
  readonly shingles: Uint32Array;
}

async function compare(
  scratch: Scratch,
  { wanted, earlier }: Candidates,
  pages: AsyncIterable<readonly AuditedText[]>,
  receive: ReceiveFinding,
): Promise<void> {
  const known = new Map<number, Compared>();
  const rowOf = rowFinder(scratch.column(ID, new Uint32Array(scratch.rows)));
  for await (const page of pages) {
    for (const text of page) {
      const row = rowOf(text.id);
      if (row !== undefined && wanted.has(row))
        known.set(row, { ...text, plain: plain(text.text), shingles: shinglesOf(text.text) });
    }
  }
  const all = [...known.values()];
  exactDuplicates(all, receive);
  nearDuplicates(known, earlier, receive);
  contradictions(all, receive);
}

/** The rows of the texts in order; undefined for one that was not there the first time. */
function rowFinder(ids: Uint32Array): (id: string) => number | undefined {
  let next = 0;
  return (id) => {
    const found = ids.indexOf(fnv1aOfText(id), next);
    // Far ahead is another text with this hash.
    if (found === -1 || found - next > LOOK_AHEAD) return undefined;
    next = found + 1;
    return found;
  };
}

const LOOK_AHEAD = 10_000;

function exactDuplicates(texts: readonly Compared[], receive: ReceiveFinding): void {
  for (const group of groups(texts, (text) => text.plain))
    receive({
      kind: 'exact_duplicate',
      ids: group.map(({ id }) => id),
      message: 'They say the same, word for word.',
    });
}

function nearDuplicates(
  known: ReadonlyMap<number, Compared>,
  earlier: Candidates['earlier'],
  receive: ReceiveFinding,
): void {
  const pairs = [...earlier].flatMap(([row, others]) => [...others].map((other) => [other, row] as const));
  for (const [a, b] of pairs.sort(([a, b], [c, d]) => a - c || b - d)) {
    const [left, right] = [known.get(a), known.get(b)];
    if (!left || !right || left.plain === right.plain || !areAlike(left.shingles, right.shingles)) continue;
    receive({ kind: 'near_duplicate', ids: [left.id, right.id], message: 'They say nearly the same.' });
  }
}

function contradictions(texts: readonly Compared[], receive: ReceiveFinding): void {
  const keyed = texts.filter(({ mergeKey }) => mergeKey !== undefined);
  for (const group of groups(keyed, ({ mergeKey = '' }) => lettersOf(mergeKey))) {
    if (new Set(group.map((text) => text.plain)).size === 1) continue;
    const keys = [...new Set(group.map(({ mergeKey }) => mergeKey))].join(', ');
    receive({
      kind: 'contradictory_key',
      ids: group.map(({ id }) => id),
      message: `Their merge keys read the same (${keys}), their texts do not.`,
    });
  }
}

function groups(texts: readonly Compared[], keyOf: (text: Compared) => string): Compared[][] {
  return [...Map.groupBy(texts, keyOf).values()].filter(({ length }) => length > 1);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function lettersOf(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
