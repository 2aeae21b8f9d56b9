import type { Model, ModelEvent, ModelRequest } from '../../src/domain/turns/model/model.ts';

/** One step of a reply: an event, an error to throw, or `hang` until the signal aborts. */
export type ScriptStep = ModelEvent | Error | 'hang';

/** A model for tests that plays back one list of steps per request and records the requests. */
export function scriptedModel(
  ...replies: readonly (readonly ScriptStep[])[]
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: 'scripted/model',
    requests,
    async *stream(request, signal) {
      const steps = replies[requests.length];
      requests.push(request);
      if (!steps) throw new Error('The script has no more replies');
      for (const step of steps) {
        if (signal.aborted) return;
        if (step === 'hang') await aborted(signal);
        else if (step instanceof Error) throw step;
        else yield step;
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
