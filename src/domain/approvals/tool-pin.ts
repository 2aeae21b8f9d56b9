/** A server's tool as the operator accepted it. If the server changes it, it has to be accepted again. */

import type { Hasher } from '../../base/hasher.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { lineDifference } from '../../base/line-difference.ts';
import type { ApprovalReason } from './reason.ts';

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

/** Undefined when the tool is the accepted one. A renamed tool is a new one. */
export function pinQuestion(
  hasher: Hasher,
  pin: ToolPin | undefined,
  offered: Pick<ToolPin, 'server' | 'tool' | 'definition'>,
): Extract<ApprovalReason, { type: 'tool_definition' }> | undefined {
  const digest = definitionDigest(hasher, offered.definition);
  if (pin?.digest === digest) return undefined;
  const diff = lineDifference(pin ? readable(pin.definition) : '', readable(offered.definition));
  return { type: 'tool_definition', server: offered.server, tool: offered.tool, digest, diff };
}

function readable(definition: JsonObject): string {
  return JSON.stringify(JSON.parse(canonicalJson(definition)), null, 2);
}
