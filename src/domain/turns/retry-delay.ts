import type { ModelFault } from './model.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const JITTER_MS = 500;

/** How long to wait before attempt number `attempt` + 1: what the provider asked for, else doubling from a second. */
export function retryDelayMs(
  fault: Pick<ModelFault, 'retryAfterMs'>,
  attempt: number,
  random: number,
): number {
  if (fault.retryAfterMs !== undefined) return Math.min(LONGEST_MS, Math.max(0, fault.retryAfterMs));
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) + Math.floor(random * JITTER_MS);
}
