import { isExpired } from '../../../domain/ledger/entry.ts';
import { secondsOf } from '../../../domain/ledger/timestamp.ts';
import { ok, type RunCheck, warning } from './check.ts';

/** Also finds out whether the database can be read. */
export const checkLedger: RunCheck = async ({ app: { ledger, clock } }) => {
  const active = (await ledger?.list({ statuses: ['active'], limit: -1 })) ?? [];
  const now = secondsOf(clock.now());
  const expired = active.filter((entry) => isExpired(entry, now)).length;
  if (expired === 0) return ok(active.length === 1 ? '1 active entry' : `${active.length} active entries`);
  return warning(
    expired === 1 ? 'one active entry has expired' : `${expired} active entries have expired`,
    'Mark them with "ken knowledge decay".',
  );
};
