import { type Actor, type StampPorts, stampOf } from '../add-entry.ts';
import type { Entry } from '../entry/entry.ts';
import { noEntry } from '../plans/plan-status.ts';
import type { CheckedCitation } from '../plans/plan-verdicts.ts';
import type { LedgerStore } from '../store.ts';
import { beforeAndNow, type CheckPorts, checkEvidence, rememberedHistory } from './check-evidence.ts';
import { rememberedEvidence } from './evidence.ts';

export interface VerifyPorts extends StampPorts, Omit<CheckPorts, 'ledger'> {
  readonly ledger: LedgerStore;
}

export interface VerifyInput {
  /** Empty: every active entry. */
  readonly ids: readonly string[];
  /** Rewrites citations whose lines moved. */
  readonly fix: boolean;
  readonly actor: Actor;
}

export async function verifyEntries(
  ports: VerifyPorts,
  input: VerifyInput,
): Promise<readonly CheckedCitation[]> {
  const entries = await chosen(ports.ledger, input.ids);
  const remembering = {
    ...ports,
    evidence: rememberedEvidence(ports.evidence),
    history: rememberedHistory(ports.history, entries),
  };
  const checked: CheckedCitation[] = [];
  for (const entry of entries) {
    for (const { provenance, sha256 } of entry.citations) {
      const finding = await checkEvidence(remembering, { provenance, sha256 });
      const { verdict } = finding;
      const compared =
        verdict === 'changed' || verdict === 'missing'
          ? await beforeAndNow(remembering, { provenance, sha256 })
          : undefined;
      const isFixed = input.fix && verdict === 'moved';
      checked.push({ id: entry.id, provenance, ...finding, isFixed, compared });
    }
  }
  if (checked.length > 0) await ports.ledger.recordVerdicts({ checked, stamp: stampOf(ports, input.actor) });
  return checked;
}

async function chosen(ledger: LedgerStore, ids: readonly string[]): Promise<readonly Entry[]> {
  if (ids.length === 0) return ledger.list({ statuses: ['active'], limit: -1 });
  const entries = await ledger.entries(ids);
  const missing = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (missing !== undefined) throw noEntry(missing);
  return entries;
}
