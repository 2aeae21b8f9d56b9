/** Translates a component in a thread of its own, with a time limit. */

import { Worker } from 'node:worker_threads';
import { unlessAborted } from '../../base/concurrency.ts';
import { workerFile } from './built-files.ts';
import { ComponentError, faultFrom } from './component-error.ts';
import type { Translated } from './translate-component.ts';
import type { TranslateReply, TranslateRequest } from './translate-worker.ts';

const TIME_LIMIT_MS = 30_000;

/** Ends the thread and rejects with the signal's reason when the signal aborts. */
export async function translate(request: TranslateRequest, signal: AbortSignal): Promise<Translated> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile('translate-worker'), {
    workerData: request,
    env: {},
    argv: [],
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  try {
    const reply = await unlessAborted(answer(worker), signal);
    if ('refusal' in reply) throw faultFrom(reply.refusal);
    return reply.translated;
  } finally {
    await worker.terminate();
  }
}

function answer(worker: Worker): Promise<TranslateReply> {
  const tooHard = () =>
    new ComponentError(
      'wasm/malformed',
      'The component cannot be translated with the time and memory there are for it.',
    );
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ refusal: tooHard().refusal }), TIME_LIMIT_MS);
    worker.once('message', resolve);
    worker.once('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ refusal: tooHard().refusal });
      else reject(error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the translation ended without an answer'));
    });
  });
}
