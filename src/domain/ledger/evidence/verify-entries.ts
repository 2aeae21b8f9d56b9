import { type Actor, type StampPorts, stampOf } from '../add-entry.ts';
import type { Entry } from '../entry/entry.ts';
import { noEntry } from '../plans/plan-status.ts';
import type { CheckedCitation } from '../plans/plan-verdicts.ts';
import type { LedgerStore } from '../store.ts';
import {
  beforeAndNow,
  type CheckPorts,
  checkEvidence,
  rememberedHistory,
  withCommitsOf,
} from './check-evidence.ts';
import { entryPages } from './entry-pages.ts';
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

/** Yields what was checked in pages, each of which is recorded. */
export async function* verifyEntries(
  ports: VerifyPorts,
  input: VerifyInput,
): AsyncGenerator<readonly CheckedCitation[]> {
  const remembering = {
    ...ports,
    evidence: rememberedEvidence(ports.evidence),
    history: rememberedHistory(ports.history),
  };
  for await (const entries of chosen(ports.ledger, input.ids)) {
    const checked = await checkPage(remembering, entries, input.fix);
    if (checked.length === 0) continue;
    await ports.ledger.recordVerdicts({ checked, stamp: stampOf(ports, input.actor) });
    yield checked;
  }
}

async function checkPage(
  ports: VerifyPorts,
  entries: readonly Entry[],
  fix: boolean,
): Promise<readonly CheckedCitation[]> {
  const remembering = { ...ports, history: withCommitsOf(ports.history, entries) };
  const checked: CheckedCitation[] = [];
  for (const entry of entries) {
    for (const { provenance, sha256 } of entry.citations) {
      const finding = await checkEvidence(remembering, { provenance, sha256 });
      const { verdict } = finding;
      const compared =
        verdict === 'changed' || verdict === 'missing'
          ? await beforeAndNow(remembering, { provenance, sha256 })
          : undefined;
      const isFixed = fix && verdict === 'moved';
      checked.push({ id: entry.id, provenance, ...finding, isFixed, compared });
    }
  }
  return checked;
}

async function* chosen(ledger: LedgerStore, ids: readonly string[]): AsyncGenerator<readonly Entry[]> {
  if (ids.length === 0) {
    yield* entryPages(ledger, { statuses: ['active'] });
    return;
  }
  const entries = await ledger.entries(ids);
  const missing = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (missing !== undefined) throw noEntry(missing);
  yield entries;
}
