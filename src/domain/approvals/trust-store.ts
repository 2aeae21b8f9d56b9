import type { TrustRecord } from './trust.ts';

/** What the operator trusts, by the real path of the workspace. Each method is one transaction. */
export interface TrustStore {
  get(workspace: string): Promise<TrustRecord | undefined>;
  /** Takes the place of what was trusted before. */
  put(record: TrustRecord): Promise<void>;
  /** False: it was not trusted. */
  revoke(workspace: string): Promise<boolean>;
}
