import { worstOf } from '../../../domain/ledger/verdict.ts';
import type { ReadSection } from './section.ts';

export const readLedger: ReadSection = async ({ ledger }) => {
  const active = (await ledger?.list({ statuses: ['active'], limit: -1 })) ?? [];
  if (active.length === 0) return undefined;
  const doubtful = active.filter(({ citations }) =>
    citations.some(({ verified }) => verified && ['moved', 'changed', 'missing'].includes(verified.verdict)),
  ).length;
  const unverified = active.filter(
    ({ citations }) => !worstOf(citations.map(({ verified }) => verified)),
  ).length;
  const lines = [active.length === 1 ? '1 active entry' : `${active.length} active entries`];
  if (doubtful > 0)
    lines.push(`${doubtful} with evidence that moved, changed or is missing; see "ken k verify"`);
  return { lines, data: { active: active.length, doubtful, never_verified: unverified } };
};
