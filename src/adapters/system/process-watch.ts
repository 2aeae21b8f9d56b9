/** Distinguishes a process from a later one that got the same number. */

import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import type { ProcessWatch } from '../../domain/approvals/job.ts';
import { processStat } from './process-stat.ts';

export const systemProcessWatch: ProcessWatch = {
  async self() {
    return JSON.stringify([await machine(), process.pid, (await startOf(process.pid)) ?? '']);
  },
  async liveness(identity) {
    const parsed = parseIdentity(identity);
    if (!parsed || parsed.machine !== (await machine())) return 'unknown';
    return (await startOf(parsed.pid)) === parsed.start ? 'alive' : 'gone';
  },
};

/** Process numbers are unique within this: one boot of one machine, and one container on it. */
async function machine(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  const container = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${boot.trim()} ${container}`.trim();
}

/** When a process was started, as the system writes it; undefined when there is no such process. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startByPs(pid);
  const stat = processStat(pid);
  return stat?.isDead ? undefined : stat?.startTime;
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function parseIdentity(text: string): { machine: string; pid: number; start: string } | undefined {
  try {
    const [machineName, pid, start]: unknown[] = JSON.parse(text);
    if (typeof machineName !== 'string' || typeof start !== 'string') return undefined;
    return typeof pid === 'number' ? { machine: machineName, pid, start } : undefined;
  } catch {
    return undefined;
  }
}
