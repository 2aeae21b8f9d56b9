import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Clock } from '../../base/time.ts';
import type { Model } from '../../domain/turns/model.ts';
import { eventsFrom, type StreamState } from './sdk-events.ts';
import { modelFault } from './sdk-fault.ts';
import { sdkRequest } from './sdk-request.ts';

export interface SdkModel {
  /** `provider/model` */
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly keyVariable: string | undefined;
  readonly clock: Clock;
}

/** A model of an AI SDK provider. Each `stream` is one request; the caller retries. */
export function sdkModel({ name, model, keyVariable, clock }: SdkModel): Model {
  const fault = (error: unknown) => modelFault(error, { model: name, keyVariable, now: clock.now() });
  return {
    name,
    async *stream(request, signal) {
      const state: StreamState = {};
      try {
        const { stream } = await model.doStream(sdkRequest(request, signal));
        for await (const part of stream) {
          if (part.type === 'error') throw part.error;
          yield* eventsFrom(part, state);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isUnannouncedEnd(error)) throw fault(error);
        yield { type: 'finish', finish: 'truncated' };
      }
    },
  };
}

/** True for a stream that ended without a finish, for which only some providers throw. */
function isUnannouncedEnd(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Response stream ended');
}
