import { Fault } from '../../base/fault.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';
import type { WebLimits } from '../../domain/web/web-client.ts';

export interface Deadline {
  /** Its reason is the error to throw. */
  readonly signal: AbortSignal;
  stop(reason: unknown): void;
  /** Clears the timer, which would keep the process alive. */
  end(): void;
}

export function startDeadline(
  milliseconds: number,
  timeoutError: () => Error,
  caller: AbortSignal,
): Deadline {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(timeoutError()), milliseconds);
  return {
    signal: AbortSignal.any([caller, own.signal]),
    stop: (reason) => own.abort(reason),
    end: () => clearTimeout(timer),
  };
}

export function timeoutFault({ href }: WebAddress, { timeoutMs }: WebLimits): Fault {
  return new Fault('net/timeout', `${href} was not fetched within ${seconds(timeoutMs)}.`, {
    hint: 'net.timeout_s is the limit.',
  });
}

export function idleFault({ href }: WebAddress, { idleMs }: WebLimits): Fault {
  return new Fault('net/timeout', `${href} sent nothing for ${seconds(idleMs)}.`);
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
