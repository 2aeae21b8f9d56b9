/** The state of the lock and of the log of decisions, for `ken status` and `ken doctor`. */

import type { Hasher } from '../../../base/hasher.ts';
import { type Clock, minuteTime } from '../../../base/time.ts';
import type { ApprovalsLock } from './approvals-lock.ts';
import { type DecisionLog, findLogBreak, loggedLock } from './decision-log.ts';

export interface LockReportPorts {
  readonly lock: ApprovalsLock;
  readonly decisionLog: DecisionLog;
  readonly hasher: Hasher;
  readonly clock: Clock;
}

/** Messages are parts of sentences, hints are sentences. `isOn`: something is to be told even where nothing is wrong. */
export type LockReport =
  | { readonly status: 'ok'; readonly isOn: boolean; readonly message: string }
  | { readonly status: 'warning' | 'problem'; readonly message: string; readonly hint: string };

const RESET_TOLD_MS = 30 * 86_400_000;
const LOOK = 'Look at "ken approvals log", and decide again what you doubt.';

/** Names the gravest finding. */
export async function lockReport(ports: LockReportPorts): Promise<LockReport> {
  const { lock, clock } = ports;
  const state = await lock.state();
  // Before the entries: one that is added meanwhile is not missing.
  const lastNumber = await ports.decisionLog.lastNumber();
  const entries = await ports.decisionLog.list();
  const whole = { newestFirst: entries, lastNumber };
  const broken = await findLogBreak(ports.hasher, whole, (...given) => lock.verifies(...given));
  if (broken) {
    const message = `entry ${broken.number} of the log of decisions is broken: ${broken.why}`;
    return { status: 'problem', message, hint: LOOK };
  }
  if (state.kind === 'broken') {
    const hint = 'Restore the file, or start anew with "ken approvals lock --reset".';
    return { status: 'problem', message: `locked, but ${state.file} ${state.why}`, hint };
  }
  const logged = loggedLock(entries);
  if (state.kind === 'off') {
    if (logged === undefined) return { status: 'ok', isOn: false, message: 'not locked' };
    const message = 'the lock is gone, and not by "ken approvals lock --off"';
    return { status: 'problem', message, hint: `Lock them again with "ken approvals lock". ${LOOK}` };
  }
  if (state.reset !== undefined && clock.now() - state.reset < RESET_TOLD_MS) {
    const message = `the passphrase was replaced without the old one at ${minuteTime(state.reset)}`;
    return { status: 'warning', message, hint: `If that was not you, reset it. ${LOOK}` };
  }
  if (logged !== undefined && logged !== state.publicKey)
    return { status: 'warning', message: 'the lock has another key than the log knows', hint: LOOK };
  const place = state.place === 'system' ? ', with a key that only root can replace' : '';
  return { status: 'ok', isOn: true, message: `locked since ${minuteTime(state.created)}${place}` };
}
