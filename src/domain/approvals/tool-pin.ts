/** A server's tool as the operator accepted it. If the server changes it, it has to be accepted again. */

import type { Hasher } from '../../base/hasher.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';

export interface ToolPin {
  readonly workspace: string;
  /** The config key of the server. */
  readonly server: string;
  readonly tool: string;
  /** Name, description and schema: everything that a model sees, and that decides what a call means. */
  readonly definition: JsonObject;
  readonly digest: string;
  readonly pinned: number;
  /** By the key of the lock; only while it is on. */
  readonly signature?: string;
}

export interface ToolPinStore {
  get(tool: Pick<ToolPin, 'workspace' | 'server' | 'tool'>): Promise<ToolPin | undefined>;
  /** Replaces the pin of the same tool. */
  put(pin: ToolPin): Promise<void>;
  /** Those of one workspace, or all. */
  list(workspace?: string): Promise<readonly ToolPin[]>;
  /** False: it was not pinned. */
  remove(tool: Pick<ToolPin, 'workspace' | 'server' | 'tool'>): Promise<boolean>;
}

export function definitionDigest(hasher: Hasher, definition: JsonObject): string {
  return hasher.sha256(canonicalJson(['ken-tool-1', definition]));
}
