import type { Model } from './model.ts';

/** Every model that is configured. */
export interface Models {
  /** By `provider/model`. A `ModelFault` when it is not configured or its key is missing. */
  open(name: string): Promise<Model>;
}
