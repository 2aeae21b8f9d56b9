/** Handles SIGINT and SIGTERM: the first asks the command to stop, the second ends the process at once. */

import { Fault } from '../../base/fault.ts';

export interface Interruption {
  /** Reading it installs the signal handlers; until then, a signal ends the process. */
  readonly signal: AbortSignal;
  readonly exitCode: number | undefined;
}

export interface SignalSource {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

export function lazyInterruption(source: SignalSource, now: () => number): Interruption {
  let controller: AbortController | undefined;
  let exitCode: number | undefined;
  let since = 0;
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
        source.on('SIGINT', interrupt(130));
        source.on('SIGTERM', interrupt(143));
      }
      return controller.signal;
    },
    get exitCode() {
      return exitCode;
    },
  };
}

/** Within this time a second signal is the same key press, passed on by a wrapper (npm, or the launcher on an old Node). */
const SAME_PRESS_MS = 150;
