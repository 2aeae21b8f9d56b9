/** Handles SIGINT, SIGTERM and SIGHUP: the first asks the command to stop, the second ends the process at once. */

import { Fault } from '../../base/fault.ts';

export interface Interruption {
  /** Reading it installs the signal handlers; until then, a signal ends the process. */
  readonly signal: AbortSignal;
  readonly exitCode: number | undefined;
  /** For a command that runs others; absent where there is only one. */
  another?(): Interruption;
  /** Removes the signal handlers: then a signal ends the process again. */
  release(): void;
}

type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface SignalSource {
  on(name: SignalName, listener: () => void): unknown;
  off(name: SignalName, listener: () => void): unknown;
  exit(code: number): void;
}

export function lazyInterruption(source: SignalSource, now: () => number): Interruption {
  let controller: AbortController | undefined;
  let exitCode: number | undefined;
  let since = 0;
  const installed: (() => void)[] = [];
  const interrupt = (code: number) => () => {
    if (exitCode === undefined) {
      exitCode = code;
      since = now();
      controller?.abort(new Fault('process/interrupted', 'Interrupted.'));
    } else if (now() - since >= SAME_PRESS_MS) source.exit(code);
  };
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        for (const [name, code] of CODES) {
          const listener = interrupt(code);
          source.on(name, listener);
          installed.push(() => source.off(name, listener));
        }
      }
      return controller.signal;
    },
    get exitCode() {
      return exitCode;
    },
    another: () => lazyInterruption(source, now),
    release() {
      for (const remove of installed.splice(0)) remove();
    },
  };
}

/** A terminal that is closed sends SIGHUP. */
const CODES = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

/** Within this time a second signal is the same key press, passed on by a wrapper (npm, or the launcher on an old Node). */
const SAME_PRESS_MS = 150;
