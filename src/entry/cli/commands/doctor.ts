import { Fault } from '../../../base/fault.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import type { CheckContext } from '../checks/check.ts';
import { CHECKS } from '../checks/registry.ts';
import { type Report, runChecks } from '../checks/run-checks.ts';
import { command, type Invocation } from '../command.ts';
import { styler } from '../render/style.ts';
import type { Terminal } from '../terminal.ts';

const TIMEOUT_MS = 15_000;

export const doctor = command({
  name: 'doctor',
  summary: 'look for what is wrong and say what to do about it',
  description: 'Exit 6 when there is a problem. A warning is no problem: things work, but could work better.',
  examples: ['doctor', 'doctor --json'],

  async run(invocation) {
    const { terminal, signal } = invocation;
    const running = runChecks(CHECKS, await contextOf(invocation), { signal, timeoutMs: TIMEOUT_MS });
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

/** A broken configuration is something to report, not a reason to stop. */
async function contextOf({ openAnywhere, environment }: Invocation): Promise<CheckContext> {
  try {
    return { app: await openAnywhere(), environment, configFault: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { app: await openAnywhere({ ignoresConfig: true }), environment, configFault: error };
  }
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
  return [counted(problems, 'problem'), counted(warnings, 'warning')].filter(Boolean).join(', ');
}

function count(reports: readonly Report[], status: string): number {
  return reports.filter(({ finding }) => finding.status === status).length;
}

function counted(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}
