import { secondsOf } from '../../../base/time.ts';
/** Entries in force: active and not expired. Ids, hashes and the revision are cheap; texts are read on demand. */

import { type Entry, isExpired, isProcedural, worstOf } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { citedLines, type EvidencePorts, rememberedEvidence } from '../evidence/evidence.ts';
import { type ApprovedPorts, isApproved } from '../promotion/promotion.ts';
import type { CurrentEntry, LedgerStore } from '../store.ts';

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
  only?: 'rules',
): Promise<readonly CurrentEntry[]> {
  return ledger.current(secondsOf(clock.now()), only);
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
  return Promise.all(
    entries.map(async (entry): Promise<Standing> => {
      const verdict = worstOf(entry.citations.map(({ verified }) => verified))?.verdict;
      const isOver = entry.status !== 'active' || isExpired(entry, now);
      if (isOver || verdict === 'changed' || verdict === 'missing') return 'stale';
      if (await isApprovedRule(ports, entry)) return 'procedural';
      return verdict === 'ok' && (await isAsCited(caching, entry)) ? 'verified' : 'entry';
    }),
  );
}

/** The operator's own approvals hold the promotion of exactly this text under this id, and it was not revoked. */
export async function isApprovedRule(
  ports: ApprovedPorts & Pick<CurrentPorts, 'ledger'>,
  { id, title, text, provenance }: Entry,
): Promise<boolean> {
  if (!isProcedural(id) || !provenance.startsWith('event:')) return false;
  const promotion = await ports.ledger.promotion(provenance.slice('event:'.length));
  if (!promotion || promotion.isRevoked || promotion.consumedBy !== id) return false;
  return promotion.textSha256 === ports.hasher.sha256(text) && isApproved(ports, promotion, title);
}

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
