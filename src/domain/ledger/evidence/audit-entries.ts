import type { Clock } from '../../../base/time.ts';
import { secondsOf } from '../../../base/time.ts';
import { DAY_SECONDS, type Entry, isExpired, type Seconds } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { parsePromotionLine, problemIn } from '../promotion/promotion-line.ts';
import type { SharedLedger } from '../shared/shared-ledger.ts';
import type { LedgerStore } from '../store.ts';
import { type AuditedText, type AuditFinding, auditTexts, type ReceiveFinding } from './audit-texts.ts';
import { hasCommit, unlessUnreadable, type WorkspaceHistory, withCommitsOf } from './check-evidence.ts';
import { entryPages } from './entry-pages.ts';
import type { EvidencePorts } from './evidence.ts';
import type { OpenScratch } from './scratch.ts';

export interface AuditPorts extends Pick<EvidencePorts, 'evidence' | 'citedSource' | 'isCitationUri'> {
  readonly ledger: LedgerStore;
  readonly history: WorkspaceHistory;
  /** Lines of the ledger file that is committed with the repository. */
  promotionLines(): Promise<readonly string[]>;
  readonly sharedLedger: Pick<SharedLedger, 'findings'>;
  readonly clock: Clock;
  readonly openScratch: OpenScratch;
}

/** Younger entries are not reported as unused. */
const UNUSED_DAYS = 30;

export interface Audit {
  readonly count: number;
  /** Entries that a retrieval has returned. */
  readonly used: readonly Pick<Entry, 'id' | 'feedback'>[];
}

/** Reads the entries page by page, and passes each finding on; those of one kind follow each other. */
export async function auditEntries(ports: AuditPorts, receive: ReceiveFinding): Promise<Audit> {
  const review = reviewer(ports, receive);
  let isFirst = true;
  const pages = async function* () {
    const reviews = isFirst;
    isFirst = false;
    for await (const page of entryPages(ports.ledger)) {
      if (reviews) await review.page(page);
      yield page.filter(isActive).map(auditedText);
    }
  };
  await auditTexts(ports.openScratch, pages, receive);
  for (const finding of await brokenChains(ports.ledger, review.superseded)) receive(finding);
  for (const finding of await promotionFindings(ports)) receive(finding);
  for (const finding of await ports.sharedLedger.findings()) receive(finding);
  return { count: review.count(), used: review.used };
}

function isActive({ status }: Entry): boolean {
  return status === 'active';
}

function auditedText({ id, title, text, mergeKey }: Entry): AuditedText {
  return { id, text: `${title}\n${text}`, mergeKey };
}

type Superseded = Pick<Entry, 'id' | 'supersededBy'>;

/** Judges each entry for itself, and keeps what the others need. */
function reviewer(ports: AuditPorts, receive: ReceiveFinding) {
  const now = secondsOf(ports.clock.now());
  const used: Pick<Entry, 'id' | 'feedback'>[] = [];
  const superseded: Superseded[] = [];
  const gone = new Map<string, boolean>();
  let count = 0;
  return {
    used,
    superseded,
    count: () => count,
    async page(entries: readonly Entry[]) {
      count += entries.length;
      const active = entries.filter(isActive);
      if (gone.size > MOST_PLACES) gone.clear();
      await orphans(ports, active, { gone, receive });
      for (const entry of active) for (const finding of timeFindings(entry, now)) receive(finding);
      for (const { id, feedback, status, supersededBy } of entries) {
        if (feedback.retrieved > 0) used.push({ id, feedback });
        if (status === 'superseded') superseded.push({ id, supersededBy });
      }
    },
  };
}

/** Pieces of evidence whose state is remembered at once. */
const MOST_PLACES = 50_000;

async function orphans(
  ports: AuditPorts,
  entries: readonly Entry[],
  { gone, receive }: { readonly gone: Map<string, boolean>; readonly receive: ReceiveFinding },
): Promise<void> {
  const remembering = { ...ports, history: withCommitsOf(ports.history, entries) };
  for (const { id, citations } of entries) {
    for (const { provenance } of citations) {
      const place = provenance.replace(/#L\d+(?:-L\d+)?$/, '');
      const isMissing = gone.get(place) ?? (await isGone(remembering, place));
      gone.set(place, isMissing);
      if (isMissing) receive({ kind: 'orphan_evidence', ids: [id], message: `${provenance} is not there.` });
    }
  }
}

async function isGone(ports: AuditPorts, text: string): Promise<boolean> {
  const provenance = parseProvenance(text, ports.isCitationUri);
  switch (provenance?.scheme) {
    case 'file':
      return (await ports.evidence.read(provenance.path)) === undefined;
    case 'event':
      return !(await ports.ledger.hasEvent(provenance.eventId));
    case 'commit':
      return (await hasCommit(ports.history, provenance.commit)) === false;
    case 'ref':
      return (await unlessUnreadable(ports.citedSource.lines(provenance.uri)))?.kind === 'gone';
    default:
      // Commands are not run again, and a page outside the library may still exist.
      return false;
  }
}

function timeFindings(entry: Entry, now: Seconds): AuditFinding[] {
  const ids = [entry.id];
  if (isExpired(entry, now))
    return [
      {
        kind: 'expired_active',
        ids,
        message: 'It has expired and is still active; "ken knowledge decay" marks it.',
      },
    ];
  const isOld = now - entry.createdAt >= UNUSED_DAYS * DAY_SECONDS;
  return isOld && entry.feedback.retrieved === 0
    ? [{ kind: 'never_retrieved', ids, message: `No retrieval has returned it in ${UNUSED_DAYS} days.` }]
    : [];
}

/** Chains of superseded entries that end without an active one. */
async function brokenChains(
  ledger: Pick<LedgerStore, 'entries'>,
  superseded: readonly Superseded[],
): Promise<AuditFinding[]> {
  const successors = new Map(superseded.map(({ id, supersededBy }) => [id, supersededBy]));
  const tipOf = ({ id }: Superseded) => {
    let tip = id;
    for (let step = 0; step < superseded.length; step++) {
      const next = successors.get(tip);
      if (next === undefined) return tip;
      tip = next;
    }
    return tip;
  };
  const tips = superseded.map(tipOf);
  const found = await ledger.entries([...new Set(tips)]);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return superseded.flatMap(({ id }, at) => {
    const tip = tips[at] ?? id;
    if (statuses.get(tip) === 'active') return [];
    const message =
      tip === id
        ? 'It is superseded by nothing.'
        : `The chain ends in ${tip}, which is ${statuses.get(tip)}.`;
    return [{ kind: 'no_active_tip', ids: [id], message }];
  });
}

/** Lines of the shared file that are no promotions. */
export async function promotionFindings({
  promotionLines,
}: Pick<AuditPorts, 'promotionLines'>): Promise<AuditFinding[]> {
  return (await promotionLines()).flatMap((text, at) => {
    const problem = text.trim() === '' ? undefined : problemIn(parsePromotionLine(text));
    if (problem === undefined) return [];
    const message = `knowledge.promotions.jsonl line ${at + 1}: ${problem}`;
    return [{ kind: 'promotion_ledger', ids: [], message }];
  });
}
