import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../base/fault.ts';

export interface LineStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode(isRaw: boolean): unknown };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/**
 * A line that a person types after the prompt; undefined when they end the input. Ctrl-C is a Fault. However it
 * ends, the cursor is at the beginning of a line.
 */
export function readLine(
  { input, output }: LineStreams,
  prompt: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  return new Promise<string | undefined>((resolve, reject) => {
    let isAnswered = false;
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    lines.on('SIGINT', () => reject(interrupted()));
    lines.on('close', () => {
      signal.removeEventListener('abort', stop);
      if (!isAnswered) output.write('\n');
      resolve(undefined);
    });
    lines.question(prompt, (answer) => {
      isAnswered = true;
      resolve(answer);
    });
  }).finally(() => lines.close());
}

/** Long enough for what is already on its way, too short for anybody to have read a question. */
const TYPED_AHEAD_MS = 30;

/** Throws away what was typed before the question was there: it cannot be an answer to it. */
export async function discardTypedAhead({ input }: LineStreams, signal: AbortSignal): Promise<void> {
  let typed = '';
  const discard = (chunk: Buffer) => {
    typed += chunk.toString('latin1');
  };
  input.setRawMode(true);
  input.on('data', discard);
  try {
    await delay(TYPED_AHEAD_MS, undefined, { signal });
  } finally {
    input.off('data', discard);
    input.pause();
    input.setRawMode(false);
  }
  if (typed.includes('\x03')) throw interrupted();
}

function interrupted(): Fault {
  return new Fault('process/interrupted', 'Interrupted.');
}
