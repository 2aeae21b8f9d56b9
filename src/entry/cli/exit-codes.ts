import { Fault, type FaultKind } from '../../base/fault.ts';

/** Throws that are not a Fault are bugs: 70. A check that found something (6) is an answer, not a fault. */
export function exitCodeFor(error: unknown): number {
  return error instanceof Fault ? EXIT_CODES[error.kind] : 70;
}

const EXIT_CODES: Record<FaultKind, number> = {
  failure: 1,
  usage: 2,
  'not-found': 3,
  denied: 4,
  conflict: 5,
  stopped: 130,
};
