/**
 * The ledger as something that others search. What is in force is what counts: active and not expired. Ids, hashes
 * and the revision are cheap for large ledgers; texts are read only for the ids that are asked for.
 */

import { type Entry, isExpired, isProcedural, worstOf } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { secondsOf } from '../entry/timestamp.ts';
import { citedLines, type EvidencePorts, rememberedEvidence } from '../evidence/evidence.ts';
import { type ApprovedPorts, isApproved } from '../promotion/promotion.ts';
import type { CurrentEntry, LedgerStore } from '../store.ts';

export interface CurrentPorts extends ApprovedPorts, EvidencePorts {
  readonly ledger: LedgerStore;
}

/** Differs from an earlier one if `currentEntries` would answer otherwise. Empty as long as there is no ledger. */
export function ledgerRevision({ ledger, clock }: Pick<CurrentPorts, 'ledger' | 'clock'>): Promise<string> {
  return ledger.revision(secondsOf(clock.now()));
}

/**
 * Every entry in force, by id. The same hash means that nothing an index holds of it has changed: title, text,
 * provenance, tags, labels. Verdicts and feedback change no hash; `standings` tells of verdicts.
 */
export function currentEntries({
  ledger,
  clock,
}: Pick<CurrentPorts, 'ledger' | 'clock'>): Promise<readonly CurrentEntry[]> {
  return ledger.current(secondsOf(clock.now()));
}

/**
 * How far an entry can be relied on. `procedural`: its id is, and the operator's own approvals hold the promotion of
 * exactly this text; the id alone, in a database that came with a repository, says nothing. `verified`: the last
 * verdict on all its evidence is ok, and the files it cites still say the same. `stale`: not in force, or its
 * evidence was found changed or missing. `entry`: everything else.
 */
export type Standing = 'procedural' | 'verified' | 'entry' | 'stale';

/** Of each of the entries, in their order. Reads the files that they cite, each once. */
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

async function isApprovedRule(ports: CurrentPorts, { id, text, provenance }: Entry): Promise<boolean> {
  if (!isProcedural(id) || !provenance.startsWith('event:')) return false;
  const promotion = await ports.ledger.promotion(provenance.slice('event:'.length));
  if (!promotion || promotion.isRevoked || promotion.consumedBy !== id) return false;
  return promotion.textSha256 === ports.hasher.sha256(text) && isApproved(ports, promotion);
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
