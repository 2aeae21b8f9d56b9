/** Runs the commands of labels at the root of the workspace, after approval where their rule asks for it. */

import { Fault } from '../../base/fault.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import { neededFault } from '../approvals/approval-fault.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import { commandLine, type LabelCommand, type LabelRule } from './label-rules.ts';
import type { LabelPorts } from './resolve-labels.ts';

export interface LabelPlace {
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  warn(text: string): void;
}

const OUTPUT_BYTES = 65_536;

export function labelPorts(
  ports: ApprovalPorts & { processes: ProcessRunner },
  place: LabelPlace,
): LabelPorts {
  return {
    warn: place.warn,
    permit: (rule, command) => permit(ports, place, rule, command),
    run: (rule, command) => run(ports.processes, place, rule, command),
  };
}

async function permit(
  ports: ApprovalPorts,
  { workspace, signal }: LabelPlace,
  { key }: LabelRule,
  command: LabelCommand,
): Promise<boolean> {
  const reason = { type: 'label_command', label: key, command: commandLine(command) } as const;
  const { program, args, shell } = command;
  const request = { workspace, reason, request: { label: key, program, args, shell }, actor: 'ken' };
  const result = await seekApproval(ports, request, signal);
  if (result.kind !== 'pending') return result.kind === 'granted';
  const { message, hint } = neededFault(result.approval);
  throw new Fault('approvals/needed', message, {
    hint: `${hint} Or set run = "unattended" or run = "deny" for conversation.labels.${key}.`,
  });
}

async function run(
  processes: ProcessRunner,
  { workspace, environment, signal }: LabelPlace,
  { key, timeoutMs }: LabelRule,
  command: LabelCommand,
): Promise<string> {
  const limits = { timeoutMs, stdoutBytes: OUTPUT_BYTES, stderrBytes: OUTPUT_BYTES };
  const given = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const request = {
    command: command.shell
      ? ([commandLine(command)] as const)
      : ([command.program, ...command.args] as const),
    shell: command.shell,
    directory: workspace,
    environment: Object.fromEntries(given),
    limits,
  };
  const result = await processes.run(request, signal);
  signal.throwIfAborted();
  if (result.timedOut)
    throw new Fault(
      'process/timeout',
      `The command of the label ${key} took longer than ${timeoutMs / 1000} s.`,
    );
  if (result.exitCode === 0) return result.stdout;
  const [line = ''] = result.stderr.trim().split('\n');
  const how =
    result.exitCode === undefined ? `was ended by ${result.signal}` : `ended with ${result.exitCode}`;
  throw new Fault('process/failed', `The command of the label ${key} ${how}${line ? `: ${line}` : ''}.`);
}
