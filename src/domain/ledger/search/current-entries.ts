import { secondsOf } from '../../../base/time.ts';
/** Entries in force: active and not expired. Ids, hashes and the revision are cheap; texts are read on demand. */

import { type Entry, isExpired, isProcedural, worstOf } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { citedLines, type EvidencePorts, rememberedEvidence } from '../evidence/evidence.ts';
import { type ApprovedPorts, approvedPromotions } from '../promotion/promotion.ts';
import type { CurrentAmong, CurrentEntry, LedgerStore } from '../store.ts';

export interface CurrentPorts extends ApprovedPorts, EvidencePorts {
  readonly ledger: LedgerStore;
}

/** Changes when `currentEntries` would return something else. Empty as long as there is no ledger. */
export function ledgerRevision({ ledger, clock }: Pick<CurrentPorts, 'ledger' | 'clock'>): Promise<string> {
  return ledger.revision(secondsOf(clock.now()));
}

/** Sorted by id. The hash covers title, text, provenance, tags and labels, but not verdicts and feedback. */
export function currentEntries(
  { ledger, clock }: Pick<CurrentPorts, 'ledger' | 'clock'>,
  among?: CurrentAmong,
): Promise<readonly CurrentEntry[]> {
  return ledger.current(secondsOf(clock.now()), among);
}

/**
 * How far an entry can be relied on. `procedural`: the operator's own approvals hold the promotion of exactly this
 * title and text; the id alone may have come with a repository. `verified`: all its evidence was found ok and the cited files
 * have not changed since. `stale`: not in force, or evidence changed or missing. `entry`: all others.
 */
export type Standing = 'procedural' | 'verified' | 'entry' | 'stale';

/** In the order of `entries`. Reads each cited file once. */
export async function standings(
  ports: CurrentPorts,
  entries: readonly Entry[],
): Promise<readonly Standing[]> {
  const now = secondsOf(ports.clock.now());
  const caching = { ...ports, evidence: rememberedEvidence(ports.evidence) };
  const approved = await approvedAmong(ports, entries);
  return Promise.all(
    entries.map(async (entry): Promise<Standing> => {
      const verdict = worstOf(entry.citations.map(({ verified }) => verified))?.verdict;
      const isOver = entry.status !== 'active' || isExpired(entry, now);
      if (isOver || verdict === 'changed' || verdict === 'missing') return 'stale';
      if (approved.has(entry)) return 'procedural';
      return verdict === 'ok' && (await isAsCited(caching, entry)) ? 'verified' : 'entry';
    }),
  );
}

/** Entries whose exact text the operator's own approvals hold a promotion of, under this id, that was not revoked. */
export async function approvedAmong(
  ports: ApprovedPorts & Pick<CurrentPorts, 'ledger'>,
  entries: readonly Entry[],
): Promise<ReadonlySet<Entry>> {
  const claimed = entries.filter(({ id, provenance }) => isProcedural(id) && provenance.startsWith(EVENT));
  if (claimed.length === 0) return new Set();
  const eventIds = claimed.map(({ provenance }) => provenance.slice(EVENT.length));
  const promotions = new Map((await ports.ledger.promotions(eventIds)).map((each) => [each.eventId, each]));
  const promoted = claimed.flatMap((entry, at) => {
    const promotion = promotions.get(eventIds[at] ?? '');
    if (!promotion || promotion.isRevoked || promotion.consumedBy !== entry.id) return [];
    const isExact = promotion.textSha256 === ports.hasher.sha256(entry.text);
    return isExact ? [{ promotion, title: entry.title, entry }] : [];
  });
  return new Set((await approvedPromotions(ports, promoted)).map(({ entry }) => entry));
}

const EVENT = 'event:';

async function isAsCited(ports: EvidencePorts, { citations }: Entry): Promise<boolean> {
  for (const { provenance, sha256 } of citations) {
    const cited = parseProvenance(provenance, ports.isCitationUri);
    if (cited?.scheme !== 'file') continue;
    const text = await ports.evidence.read(cited.path);
    const lines = text === undefined ? undefined : citedLines(text, cited.lines);
    if (lines === undefined || ports.hasher.sha256(lines) !== sha256) return false;
  }
  return true;
}
