/** A child process and everything it starts that stays in its process group. */

import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { processStat } from './process-stat.ts';

export interface ProcessGroup {
  /** Must be called as soon as the child that leads the group is started, detached. */
  ledBy(pid: number): void;
  /** Kills members that do not end in `graceMs`. Resolves when none is left, or a second after SIGKILL. */
  end(graceMs: number): Promise<void>;
  /** Must be called when the group is known to be empty, or was never started. */
  forget(): void;
}

/** Made before the child starts, since an interruption may come meanwhile. Ends with this process, crashes aside. */
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

/** Dead members can be signalled until init collects them, which may take a while; /proc shows which are dead. */
function hasLivingMember(leader: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((pid) => {
    const stat = /^\d+$/.test(pid) ? processStat(pid) : undefined;
    return stat?.group === String(leader) && !stat.isDead;
  });
}

/** False when no member is left to receive the signal. */
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

/** A group of its own does not get the terminal's Ctrl-C, so it is killed when this process ends. */
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

/** With another listener, that one decides what the signal means; otherwise it has its default effect. */
function passOn(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  process.off(signal, passOn);
  process.kill(process.pid, signal);
}
