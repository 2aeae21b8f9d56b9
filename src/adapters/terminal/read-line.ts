import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../base/fault.ts';

export interface LineStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode(isRaw: boolean): unknown };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Undefined when the person ends the input; Ctrl-C is a Fault. Leaves the cursor at the beginning of a line. */
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

/** Like `readLine`, and shows nothing of what is typed. */
export async function readSecret(
  { input, output }: LineStreams,
  prompt: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Before the prompt: what is typed at once must not be shown either.
  input.setRawMode(true);
  output.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return readLine({ input, output: nowhere }, '', signal).finally(() => output.write('\n'));
}

/** Long enough for input that is already on its way, too short for anybody to have read a question. */
const TYPED_AHEAD_MS = 30;

/** Drops what was typed before the question was shown, since it cannot be an answer. */
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

const lastAt = new WeakMap<object, Promise<unknown>>();

/** Runs `ask` after all earlier questions at this terminal. */
export function oneAtATime<Result>(terminal: object, ask: () => Promise<Result>): Promise<Result> {
  const answer = (lastAt.get(terminal) ?? Promise.resolve()).then(ask);
  lastAt.set(
    terminal,
    answer.catch(() => {}),
  );
  return answer;
}
