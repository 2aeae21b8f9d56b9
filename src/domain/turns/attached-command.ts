import { Fault } from '../../base/fault.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import { splitCommand } from '../../base/shell-words.ts';
import { granted } from '../approvals/approval-fault.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import type { AttachmentReader } from './attach.ts';

export interface CommandPlace {
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const LIMITS = { timeoutMs: 30_000, stdoutBytes: 1_048_576, stderrBytes: 65_536 };

/** `cmd:git diff`: output of the command, once the operator approves it. */
export function attachedCommands(
  ports: ApprovalPorts & { processes: ProcessRunner },
  { workspace, environment }: CommandPlace,
): AttachmentReader {
  return {
    async read(source, signal) {
      if (!source.startsWith('cmd:')) return undefined;
      const words = splitCommand(source.slice(4));
      if (!words) throw new Fault('attachments/invalid', `"${source}" has an unbalanced quote.`);
      const [program, ...args] = words;
      if (!program) throw new Fault('attachments/invalid', `"${source}" names no command.`);
      const shown = source.slice(4);
      const reason = { type: 'tool_run', tool: 'cmd', arguments: { command: shown } } as const;
      const request = { workspace, reason, request: { program, args }, actor: 'ken', shown };
      granted(await seekApproval(ports, request, signal));
      const given = Object.entries(environment).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      );
      const running = {
        command: [program, ...args] as const,
        directory: workspace,
        environment: Object.fromEntries(given),
        limits: LIMITS,
      };
      const { stdout, stderr, exitCode } = await ports.processes.run(running, signal);
      if (exitCode !== 0) {
        throw new Fault(
          'process/failed',
          `"${source}" failed: ${stderr.trim().split('\n')[0] || 'no output'}.`,
        );
      }
      return [{ source, text: stdout }];
    },
  };
}
