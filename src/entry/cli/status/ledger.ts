import { secondsOf } from '../../../domain/ledger/entry/timestamp.ts';
import type { ReadSection } from './section.ts';

export const readLedger: ReadSection = async ({ ledger, clock }) => {
  const count = await ledger?.count(secondsOf(clock.now()));
  if (!count || count.active === 0) return undefined;
  const { active, doubtful, unverified } = count;
  const lines = [active === 1 ? '1 active entry' : `${active} active entries`];
  if (doubtful > 0)
    lines.push(`${doubtful} with evidence that moved, changed or is missing; see "ken k verify"`);
  return { lines, data: { active, doubtful, never_verified: unverified } };
};
