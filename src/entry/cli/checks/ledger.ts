import { secondsOf } from '../../../domain/ledger/entry/timestamp.ts';
import { ok, type RunCheck, warning } from './check.ts';

/** Also finds out whether the database can be read. */
export const checkLedger: RunCheck = async ({ app: { ledger, clock } }) => {
  const { active = 0, expired = 0 } = (await ledger?.count(secondsOf(clock.now()))) ?? {};
  if (expired === 0) return ok(active === 1 ? '1 active entry' : `${active} active entries`);
  return warning(
    expired === 1 ? 'one active entry has expired' : `${expired} active entries have expired`,
    'Mark them with "ken knowledge decay".',
  );
};
