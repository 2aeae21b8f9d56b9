import { type Model, type ModelEvent, ModelFault, type ModelRequest } from './model.ts';

interface IdlePorts {
  readonly model: Model;
  readonly retryPolicy: {
    readonly idleMs: number;
    wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  };
}

/** Drops the model's stream when it is silent for too long. */
export async function* withIdleLimit(
  { model, retryPolicy }: IdlePorts,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const dropping = new AbortController();
  const stream = model.stream(request, AbortSignal.any([signal, dropping.signal]))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextWithin(stream, retryPolicy, signal);
      if (next === 'idle') throw idleFault(model.name, retryPolicy.idleMs);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    dropping.abort();
  }
}

async function nextWithin(
  stream: AsyncIterator<ModelEvent>,
  retryPolicy: IdlePorts['retryPolicy'],
  signal: AbortSignal,
): Promise<IteratorResult<ModelEvent> | 'idle'> {
  const came = new AbortController();
  const idle = retryPolicy
    .wait(retryPolicy.idleMs, AbortSignal.any([came.signal, signal]))
    .then(() => 'idle' as const);
  const pending = stream.next();
  try {
    const first = await Promise.race([pending, idle]);
    // The wait also ends when the operator stops; then the model ends by itself.
    return first === 'idle' && signal.aborted ? await pending : first;
  } finally {
    came.abort();
    pending.catch(() => {});
  }
}

function idleFault(name: string, idleMs: number): ModelFault {
  return new ModelFault('models/dropped', `${name} said nothing for ${Math.round(idleMs / 1000)} s.`, {
    isTransient: true,
    hint: 'assistant.request.idle_timeout_s sets how long to wait.',
  });
}
