/** Runs checks side by side. One that crashes or hangs is a finding like any other. */

import { Fault } from '../../../base/fault.ts';
import { type AttemptLimits, attempt } from '../attempt.ts';
import { type Check, type CheckContext, type CheckFinding, fromFault, problem } from './check.ts';

export interface Report {
  readonly check: Check;
  readonly finding: CheckFinding | Skipped;
}

/** What it needs is not there. */
export interface Skipped {
  readonly status: 'skipped';
  readonly message: string;
}

/** One promise for each check, in their order, so that the first lines can be shown while others still run. */
export function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  limits: AttemptLimits,
): Promise<Report>[] {
  return checks.map((check) => {
    const report = findOut(check, context, limits).then((finding) => ({ check, finding }));
    // Whoever waits for one of them hears of it; the others need not be waited for.
    report.catch(() => {});
    return report;
  });
}

async function findOut(
  check: Check,
  context: CheckContext,
  limits: AttemptLimits,
): Promise<Report['finding']> {
  const skipped = reasonToSkip(check, context);
  if (skipped) return skipped;
  const attempted = await attempt(async (signal) => (await check.load())(context, signal), limits);
  return attempted.isDone ? attempted.value : failure(attempted.error);
}

function reasonToSkip({ needs }: Check, { app, configFault }: CheckContext): Skipped | undefined {
  if (needs && configFault) return { status: 'skipped', message: 'not checked while the config is broken' };
  if (needs === 'workspace' && !app.workspace) return { status: 'skipped', message: 'no workspace here' };
  return undefined;
}

function failure(error: unknown): CheckFinding {
  if (error instanceof Fault) return fromFault(error, 'Run "ken doctor --verbose" to see more.');
  const message = error instanceof Error ? error.message : String(error);
  return problem(`the check itself failed: ${message}`, 'This is a bug in ken; please report it.');
}
