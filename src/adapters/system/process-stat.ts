import { readFileSync } from 'node:fs';

export interface ProcessStat {
  /** The process has ended, but its parent has not collected it yet. */
  readonly isDead: boolean;
  /** Its name, as the system lists it. */
  readonly program: string;
  readonly parent: number;
  readonly group: string | undefined;
  readonly session: string | undefined;
  /** Clock ticks since the machine was booted. */
  readonly startTime: string | undefined;
}

/** Reads `/proc/<pid>/stat`. Undefined where there is no `/proc`, and for a process that has been collected. */
export function processStat(pid: number | string): ProcessStat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name in the second field may itself hold spaces and brackets.
    const end = line.lastIndexOf(')');
    const fields = line.slice(end + 2).split(' ');
    const program = line.slice(line.indexOf('(') + 1, end);
    const isDead = fields[0] === 'Z' || fields[0] === 'X';
    return {
      isDead,
      program,
      parent: Number(fields[1]) || 0,
      group: fields[2],
      session: fields[3],
      startTime: fields[19],
    };
  } catch {
    return undefined;
  }
}
