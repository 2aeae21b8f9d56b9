import type { Model } from './model.ts';

/** The model that needs no provider: it answers in the words of the knowledge that it finds. */
export const OFFLINE_MODEL = 'ken/extractive';

/** Every model that is configured. */
export interface Models {
  /** By `provider/model`. A `ModelFault` when it is not configured or its key is missing. */
  open(name: string): Promise<Model>;
  /** The state of each provider; the one that is always there comes first. */
  survey(signal: AbortSignal): Promise<readonly ProviderReport[]>;
}

export interface ProviderReport {
  readonly provider: string;
  /** `ready`: it can be asked. `no-key`: its variable is not set. `unreachable`: nothing answers there. */
  readonly state: 'ready' | 'no-key' | 'unreachable';
  /** The next step, or a description. */
  readonly remark: string;
  /** The models it offers, where it can be asked without cost. */
  readonly models: readonly string[];
}
