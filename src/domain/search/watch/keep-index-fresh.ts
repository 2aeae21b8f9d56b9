/** Updates an index soon after files have changed. Nothing runs while nothing changes. */

import { Fault } from '../../../base/fault.ts';
import type { Clock } from '../../../base/time.ts';
import type { FileWatch, WatchCount, WatchedDirectories } from './file-watch.ts';

export interface KeepFreshPorts {
  readonly fileWatch: Pick<FileWatch, 'open'>;
  readonly clock: Clock;
  readonly timer: { wait(milliseconds: number, signal: AbortSignal): Promise<void> };
}

export interface KeepFreshInput<Result> {
  /** The directories whose changes count, as they are now. */
  directories(): Promise<readonly string[]>;
  sync(signal: AbortSignal): Promise<Result>;
  onRound?(round: FreshRound<Result>): void;
  /** A sync that failed is tried again later, and when something changes. */
  onFault?(fault: Fault): void;
}

export interface FreshRound<Result> {
  readonly result: Result;
  readonly ms: number;
  readonly watched: number;
  readonly unwatched: number;
}

/** Changes come in bursts: the index is updated after a burst, or after the longer time during one. */
const QUIET_MS = 150;
const LONGEST_BURST_MS = 2_000;
/** At most a fifth of a processor is used while files keep changing. */
const REST_PER_WORK = 4;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 600_000;
/** A directory that appears during a pass is watched by the next pass. */
const MOST_PASSES = 5;

/** Syncs at once, then after changes. Resolves when the signal aborts. */
export async function keepIndexFresh<Result>(
  ports: KeepFreshPorts,
  input: KeepFreshInput<Result>,
  signal: AbortSignal,
): Promise<void> {
  const changes = changeFlag(signal);
  const watched = await ports.fileWatch.open(changes.raise);
  let retryMs = FIRST_RETRY_MS;
  try {
    while (!signal.aborted) {
      const started = ports.clock.now();
      // Reset before anything is read, so that a later change causes another round.
      changes.lower();
      try {
        await runRound(ports, watched, input, signal);
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        input.onFault?.(error);
        await Promise.race([ports.timer.wait(retryMs, signal), changes.raised()]);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
        continue;
      }
      await ports.timer.wait((ports.clock.now() - started) * REST_PER_WORK, signal);
      await changes.raised();
      await untilQuiet(ports, changes, signal);
    }
  } finally {
    watched.close();
  }
}

async function runRound<Result>(
  { clock }: KeepFreshPorts,
  watched: WatchedDirectories,
  input: KeepFreshInput<Result>,
  signal: AbortSignal,
): Promise<void> {
  const count = await watchAll(watched, input);
  const started = clock.now();
  const result = await input.sync(signal);
  signal.throwIfAborted();
  input.onRound?.({ ...count, result, ms: clock.now() - started });
}

async function watchAll(
  watched: WatchedDirectories,
  { directories }: Pick<KeepFreshInput<unknown>, 'directories'>,
): Promise<Pick<FreshRound<unknown>, 'watched' | 'unwatched'>> {
  let found: readonly string[] = [];
  let count: WatchCount = { added: 0, unwatched: 0 };
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    found = await directories();
    count = watched.set(found);
    if (count.added === 0) break;
  }
  return { watched: found.length - count.unwatched, unwatched: count.unwatched };
}

async function untilQuiet(
  { clock, timer }: KeepFreshPorts,
  changes: ChangeFlag,
  signal: AbortSignal,
): Promise<void> {
  const started = clock.now();
  do {
    changes.lower();
    await timer.wait(QUIET_MS, signal);
  } while (changes.isRaised() && !signal.aborted && clock.now() - started < LONGEST_BURST_MS);
}

type ChangeFlag = ReturnType<typeof changeFlag>;

function changeFlag(signal: AbortSignal) {
  let isRaised = false;
  let wake: (() => void) | undefined;
  const raise = () => {
    isRaised = true;
    wake?.();
  };
  signal.addEventListener('abort', raise, { once: true });
  return {
    raise,
    isRaised: () => isRaised,
    lower() {
      isRaised = false;
    },
    /** Resolves at the next change, or when the signal aborts. */
    async raised(): Promise<void> {
      if (isRaised || signal.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    },
  };
}
