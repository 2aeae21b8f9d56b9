/** Translates a component in a confined process of its own, within limits of time and memory. */

import { ComponentError, faultFrom } from '../component-error.ts';
import type { Translated } from '../translate-component.ts';
import { WireError } from '../wire/codec.ts';
import { type FromRunner, LARGEST_COMPONENT, LONGEST_GLUE } from '../wire/messages.ts';
import { LOAD_LIMITS, tooHard, type WorkLimits } from './guest-process.ts';
import { keepingAlive, type RunnerProcess, startRunner, TRANSLATE_RUNNER } from './runner-process.ts';

export interface TranslateRequest {
  readonly component: Uint8Array;
  readonly memoryMib: number;
}

/** Ends the process and rejects with the signal's reason when the signal aborts. */
export async function translate(
  request: TranslateRequest,
  signal: AbortSignal,
  limits = LOAD_LIMITS,
): Promise<Translated> {
  signal.throwIfAborted();
  const runner = await keepingAlive(startRunner(TRANSLATE_RUNNER));
  try {
    return requireExpected(await keepingAlive(answer(runner, { request, limits }, signal)));
  } finally {
    await runner.end();
  }
}

interface Work {
  readonly request: TranslateRequest;
  readonly limits: WorkLimits;
}

function answer(runner: RunnerProcess, { request, limits }: Work, signal: AbortSignal): Promise<Translated> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(tooHard());
    const timer = setTimeout(giveUp, limits.timeoutMs);
    const unwatch = runner.watchMemory(limits.mostBytes, giveUp);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    runner.longestMessage = LARGEST_COMPONENT + LONGEST_GLUE * 4;
    runner.listen({
      onMessage: (message) => resolve(translatedOf(message)),
      onEnd() {
        clearTimeout(timer);
        unwatch();
        signal.removeEventListener('abort', onAbort);
        giveUp();
      },
    });
    runner.send({ tag: 'translate', val: request });
  });
}

function translatedOf(message: FromRunner): Promise<Translated> {
  if (message.tag === 'translated') return Promise.resolve(message.val);
  if (message.tag === 'refused') return Promise.reject(faultFrom(message.val));
  throw new WireError(`"${message.tag}" out of turn`);
}

const MODULE_NAME = /^tool\.core\d*\.wasm$/;

/** The names become names of files. */
function requireExpected(translated: Translated): Translated {
  const names = translated.modules.map(({ name }) => name);
  if (names.every((name) => MODULE_NAME.test(name)) && new Set(names).size === names.length)
    return translated;
  throw faultFrom(
    new ComponentError('wasm/malformed', 'The translation of the component has unknown parts.').refusal,
  );
}
