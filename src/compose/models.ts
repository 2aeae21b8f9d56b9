import { systemClock } from '../adapters/system/clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Config } from '../config/schema.ts';
import type { Models } from '../domain/turns/models.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function openModels({ providers, kb }: Config, environment: Environment): Models {
  return deferred(async () => {
    const { openModel } = await import('../adapters/models/open-model.ts');
    const { OFFLINE_MODEL } = await import('../domain/turns/models.ts');
    const places = { providers: providers.llm, environment, clock: systemClock };
    return {
      open: async (name: string) => {
        if (name !== OFFLINE_MODEL) return openModel(places, name);
        return (await import('./extractive.ts')).openExtractive(kb);
      },
      survey: async (signal: AbortSignal) => {
        const { surveyProviders } = await import('../adapters/models/survey-providers.ts');
        return surveyProviders(places, signal);
      },
    };
  });
}
