/** Bounds the time of parsers: some take minutes for a text that was written to be slow, and nothing else runs meanwhile. */

import { createContext, Script } from 'node:vm';

const CALL_MS = 1_000;
/** One page has many texts, which are parsed one after another. */
const TOGETHER_MS = 2_000;

const calling = new Script('work()');
const place: { work: (() => unknown) | undefined } = { work: undefined };
let context: ReturnType<typeof createContext> | undefined;

let spent = 0;

/** Undefined when the work takes too long. The engine stops it wherever it is, so it may change nothing that lasts. */
export function withinTime<Result>(work: () => Result): Result | undefined {
  const began = performance.now();
  // Other work comes between two pages.
  if (spent === 0) setImmediate(forget);
  const most = Math.floor(Math.min(CALL_MS, TOGETHER_MS - spent));
  if (most < 1) return undefined;
  context ??= createContext(place);
  try {
    place.work = work;
    return calling.runInContext(context, { timeout: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    place.work = undefined;
    spent += performance.now() - began;
  }
}

function forget(): void {
  spent = 0;
}
