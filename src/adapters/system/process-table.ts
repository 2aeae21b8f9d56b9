import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AncestorProcess, ProcessTable } from '../../domain/approvals/operator/operator-presence.ts';
import { processStat } from './process-stat.ts';

/** The processes of this machine, from `/proc` where there is one and from `ps` elsewhere. */
export const systemProcessTable: ProcessTable = {
  async ancestors() {
    const look = process.platform === 'linux' ? lookInProc : lookWithPs;
    const found: AncestorProcess[] = [];
    let pid = process.ppid;
    while (pid > 1 && found.length < MOST) {
      const seen = await look(pid);
      if (!seen) break;
      found.push({ pid, program: seen.program, environment: seen.environment });
      pid = seen.parent;
    }
    return found;
  },
};

const MOST = 64;

interface Seen extends Omit<AncestorProcess, 'pid'> {
  readonly parent: number;
}

async function lookInProc(pid: number): Promise<Seen | undefined> {
  const stat = processStat(pid);
  if (!stat) return undefined;
  return { ...stat, environment: environmentOf(variablesOf(pid).split('\0')) };
}

/** Empty for the process of another account. */
function variablesOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

async function lookWithPs(pid: number): Promise<Seen | undefined> {
  try {
    const words = ['-E', '-ww', '-o', 'ppid=,command=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('/bin/ps', words);
    const [, parent = '', command = ''] = /^\s*(\d+)\s+(.*)$/s.exec(stdout) ?? [];
    const [program = '', ...rest] = command.trim().split(/\s+/);
    const name = program.split('/').at(-1) ?? program;
    return { program: name, parent: Number(parent), environment: environmentOf(rest) };
  } catch {
    return undefined;
  }
}

function environmentOf(pairs: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = Object.create(null);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at > 0) environment[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return environment;
}
