import { Fault } from '../../../base/fault.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import { counted } from '../../../base/text.ts';
import { type AttemptLimits, attempt } from '../attempt.ts';
import { type Check, type CheckContext, type CheckFinding, fromFault, problem } from '../checks/check.ts';
import { CHECKS } from '../checks/checks.ts';
import { command, type Invocation } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { styler } from '../terminal-abilities.ts';

const TIMEOUT_MS = 15_000;

export const doctor = command({
  name: 'doctor',
  summary: 'check the installation and suggest fixes',
  description:
    'Exit 6 when there is a problem. With warnings alone everything works, but could work better. With --repair it ' +
    'shows what it can mend, asks, and mends it; what it replaces is kept below .ken/repair/.',
  examples: ['doctor', 'doctor --network', 'doctor --repair --dry-run', 'doctor --json'],
  options: [
    { flags: '--network', summary: 'also contact the configured model and embedder' },
    { flags: '--repair', summary: 'mend what can be mended, after you agree' },
    { flags: '--dry-run', summary: 'with --repair: only show what would be done' },
    { flags: '-y, --yes', summary: 'with --repair: do not ask' },
  ],

  async run(invocation) {
    const { terminal, signal, options } = invocation;
    if (options.has('repair')) return (await import('./repair.ts')).repair(invocation);
    const context = {
      ...(await contextOf(invocation)),
      usesNetwork: options.has('network'),
      openOther: (workspace: string) => invocation.openAnywhere({ workspace }),
    };
    context.app.keepHeapSmall();
    const running = runChecks(CHECKS, context, { signal, timeoutMs: TIMEOUT_MS });
    const reports: Report[] = [];
    for (const pending of running) {
      const report = await pending;
      reports.push(report);
      if (!terminal.json) printReport(terminal, report);
    }
    if (terminal.json) terminal.printJson({ checks: reports.map(reportAsJson) });
    else terminal.note(summary(reports));
    return count(reports, 'problem') > 0 ? 6 : 0;
  },
});

/** A broken configuration is reported as a finding; the other checks still run. */
async function contextOf({
  openAnywhere,
  environment,
}: Pick<Invocation, 'openAnywhere' | 'environment'>): Promise<Omit<CheckContext, 'usesNetwork'>> {
  try {
    return { app: await openAnywhere({ isAboutEmbedder: true }), environment, configFault: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { app: await openAnywhere({ ignoresConfig: true }), environment, configFault: error };
  }
}

interface Report {
  readonly check: Check;
  readonly finding: CheckFinding | Skipped;
}

/** The check needs something that is missing here. */
interface Skipped {
  readonly status: 'skipped';
  readonly message: string;
}

/**
 * Runs the checks in parallel. Returns one promise each, in order, so that the first lines show while others still
 * run. A check that crashes or hangs becomes a finding.
 */
export function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  limits: AttemptLimits,
): Promise<Report>[] {
  return checks.map((check) => {
    const report = findOut(check, context, limits).then((finding) => ({ check, finding }));
    // The caller awaits them one by one: an earlier rejection of a later one must not end the process.
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
  const attempted = await attempt(async (signal) => check.run(context, signal), limits);
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

const COLORS = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'dim' } as const;
const WIDTH = 'warning  '.length;

function printReport(terminal: Terminal, { check, finding }: Report): void {
  const word = finding.status.padEnd(WIDTH);
  const shown = styler(terminal.color)(COLORS[finding.status], word);
  terminal.printStyled(`${shown}${neutralise(`${check.title}: ${finding.message}`)}`);
  if ('hint' in finding) terminal.printStyled(`${' '.repeat(WIDTH)}${neutralise(finding.hint)}`);
}

function reportAsJson({ check, finding }: Report) {
  return { id: check.id, title: check.title, hint: null, ...finding };
}

function summary(reports: readonly Report[]): string {
  const problems = count(reports, 'problem');
  const warnings = count(reports, 'warning');
  if (problems + warnings === 0) return 'Nothing is wrong.';
  const parts = [
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return parts.join(', ');
}

function count(reports: readonly Report[], status: string): number {
  return reports.filter(({ finding }) => finding.status === status).length;
}
