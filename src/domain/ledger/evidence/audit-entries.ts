import type { Clock } from '../../../base/time.ts';
import { secondsOf } from '../../../base/time.ts';
import { DAY_SECONDS, type Entry, isExpired, type Seconds } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { parsePromotionLine, problemIn } from '../promotion/promotion-line.ts';
import type { SharedLedger } from '../shared/shared-ledger.ts';
import type { LedgerStore } from '../store.ts';
import { type AuditFinding, auditTexts } from './audit-texts.ts';
import { hasCommit, rememberedHistory, unlessUnreadable, type WorkspaceHistory } from './check-evidence.ts';
import type { EvidencePorts } from './evidence.ts';

export interface AuditPorts extends Pick<EvidencePorts, 'evidence' | 'citedSource' | 'isCitationUri'> {
  readonly ledger: LedgerStore;
  readonly history: WorkspaceHistory;
  /** Lines of the ledger file that is committed with the repository. */
  promotionLines(): Promise<readonly string[]>;
  readonly sharedLedger: Pick<SharedLedger, 'findings'>;
  readonly clock: Clock;
}

/** Younger entries are not reported as unused. */
const UNUSED_DAYS = 30;

export async function auditEntries(
  ports: AuditPorts,
): Promise<{ readonly entries: readonly Entry[]; readonly findings: readonly AuditFinding[] }> {
  const now = secondsOf(ports.clock.now());
  const all = await ports.ledger.list({ limit: -1 });
  const active = all.filter(({ status }) => status === 'active');
  const texts = active.map(({ id, title, text, mergeKey }) => ({ id, text: `${title}\n${text}`, mergeKey }));
  const findings = [
    ...auditTexts(texts),
    ...(await orphans(ports, active)),
    ...active.flatMap((entry) => timeFindings(entry, now)),
    ...brokenChains(all),
    ...(await promotionFindings(ports)),
    ...(await ports.sharedLedger.findings()),
  ];
  return { entries: all, findings };
}

async function orphans(ports: AuditPorts, entries: readonly Entry[]): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const known = new Map<string, boolean>();
  const remembering = { ...ports, history: rememberedHistory(ports.history, entries) };
  for (const { id, citations } of entries) {
    for (const { provenance } of citations) {
      const place = provenance.replace(/#L\d+(?:-L\d+)?$/, '');
      const isMissing = known.get(place) ?? (await isGone(remembering, place));
      known.set(place, isMissing);
      if (isMissing)
        findings.push({ kind: 'orphan_evidence', ids: [id], message: `${provenance} is not there.` });
    }
  }
  return findings;
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
function brokenChains(entries: readonly Entry[]): AuditFinding[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry) => {
    if (entry.status !== 'superseded') return [];
    let tip: Entry | undefined = entry;
    for (
      let step = 0;
      step < entries.length && tip?.status === 'superseded' && tip.supersededBy !== undefined;
      step++
    )
      tip = byId.get(tip.supersededBy);
    if (tip?.status === 'active') return [];
    const message =
      tip === entry
        ? 'It is superseded by nothing.'
        : `The chain ends in ${tip?.id}, which is ${tip?.status}.`;
    return [{ kind: 'no_active_tip', ids: [entry.id], message }];
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
