/** A child and everything it started, as long as that stays in the child's process group. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export interface ProcessGroup {
  /** To be called as soon as the child that leads the group is started, detached. */
  ledBy(pid: number): void;
  /**
   * Asks all members to end, and kills those that have not after `graceMs`. Answers when none is left; a member that
   * even SIGKILL does not end within a second (stuck in the kernel) is given up.
   */
  end(graceMs: number): Promise<void>;
  /** To be called when the group is known to be empty, or never came to be. */
  forget(): void;
}

/**
 * A group for a child that is about to be started: from here on it dies with this process, crashes aside. Later
 * would be too late, since an interruption may come while the child is being made.
 */
export function processGroup(): ProcessGroup {
  const group: Guarded = { leader: undefined };
  let ending: Promise<void> | undefined;
  guard(group);
  return {
    ledBy: (pid) => {
      group.leader = pid;
    },
    end(graceMs) {
      if (group.leader !== undefined) ending ??= endGroup(group.leader, graceMs);
      return ending ?? Promise.resolve();
    },
    forget: () => unguard(group),
  };
}

async function endGroup(leader: number, graceMs: number): Promise<void> {
  if (!send(leader, 'SIGTERM') || (await isGone(leader, graceMs))) return;
  send(leader, 'SIGKILL');
  await isGone(leader, 1000);
}

async function isGone(leader: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 1; send(leader, 0); pause = Math.min(pause * 2, 50)) {
    if (pause > 10 && !hasLivingMember(leader)) return true;
    if (performance.now() >= deadline) return false;
    await wait(Math.min(pause, Math.max(1, deadline - performance.now())));
  }
  return true;
}

/** Dead members can be signalled until init collects them, which may take it a while; /proc tells them apart. */
function hasLivingMember(leader: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const [state, , group] = statusFields(pid);
    return group === String(leader) && state !== 'Z' && state !== 'X';
  });
}

/** State, parent, group, …: what follows the program's name, which may itself hold spaces and brackets. */
function statusFields(pid: string): string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** False when there is nobody left to receive it. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

interface Guarded {
  leader: number | undefined;
}

const guarded = new Set<Guarded>();
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A group of its own does not get the terminal's Ctrl-C, so our end must become theirs. */
function guard(group: Guarded): void {
  if (guarded.size === 0) {
    process.on('exit', killGuarded);
    for (const signal of ENDING_SIGNALS) process.on(signal, passOn);
  }
  guarded.add(group);
}

function unguard(group: Guarded): void {
  guarded.delete(group);
  if (guarded.size > 0) return;
  process.off('exit', killGuarded);
  for (const signal of ENDING_SIGNALS) process.off(signal, passOn);
}

function killGuarded(): void {
  for (const { leader } of guarded) if (leader !== undefined) send(leader, 'SIGKILL');
}

/** Somebody else who listens to the signal decides what it means; otherwise it does what it does by default. */
function passOn(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  process.off(signal, passOn);
  process.kill(process.pid, signal);
}
