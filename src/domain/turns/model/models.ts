import type { Model } from './model.ts';

/** Every model that is configured. */
export interface Models {
  /** `name` is `provider/model`. A `ModelFault` when it is not configured or its key is missing. */
  open(name: string): Promise<Model>;
  /** The offline provider comes first. */
  survey(signal: AbortSignal): Promise<readonly ProviderReport[]>;
}

export interface ProviderReport {
  readonly provider: string;
  /** `ready`: it can be used. `no-key`: its variable is not set. `unreachable`: nothing answers at its address. */
  readonly state: 'ready' | 'no-key' | 'unreachable';
  /** The next step, or a description. */
  readonly remark: string;
  /** Models it offers, where listing them costs nothing. */
  readonly models: readonly string[];
}
