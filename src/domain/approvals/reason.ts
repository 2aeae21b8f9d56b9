/** Every kind of decision that a person is asked for. */

import type { JsonObject } from '../../base/json.ts';

export type ApprovalReason =
  | { readonly type: 'workspace_escape'; readonly path: string }
  /** `summary` says how much is fetched. */
  | { readonly type: 'reference_topic_create'; readonly title: string; readonly summary: string }
  /** A stale topic has outgrown what was approved. `summary` says how. */
  | { readonly type: 'reference_topic_refresh'; readonly topic: string; readonly summary: string }
  | { readonly type: 'tool_run'; readonly tool: string; readonly arguments: JsonObject }
  /** A tool of a server is new, or differs from what was approved. */
  | {
      readonly type: 'tool_definition';
      readonly server: string;
      readonly tool: string;
      readonly digest: string;
      readonly diff: string;
    }
  | { readonly type: 'label_command'; readonly label: string; readonly command: string }
  | {
      readonly type: 'knowledge_promote';
      readonly entry: string;
      readonly text: string;
      readonly evidence: readonly string[];
    }
  /** An entry for the ledger of a team; the request holds all of it. */
  | { readonly type: 'knowledge_add'; readonly title: string; readonly text: string }
  /** An entry of a team is shown to more people: to its workspace, or to every workspace. */
  | {
      readonly type: 'knowledge_move';
      readonly title: string;
      readonly text: string;
      readonly visibility: string;
    }
  /** The request holds the text before and after. */
  | { readonly type: 'subject_propose'; readonly topic: string; readonly slug: string }
  /** Configuration that may have come with a repository wants to run programs or use the network. */
  | { readonly type: 'workspace_trust'; readonly definitions: readonly string[] };

export type ReasonType = ApprovalReason['type'];

/** Accepts only a known type with all of its fields and no others. */
export function isApprovalReason(value: unknown): value is ApprovalReason {
  if (!isObject(value) || typeof value.type !== 'string') return false;
  const fields = FIELDS.get(value.type);
  if (!fields || Object.keys(value).length !== Object.keys(fields).length + 1) return false;
  return Object.entries(fields).every(([name, fits]) => Object.hasOwn(value, name) && fits(value[name]));
}

type FieldsOf<Type extends ReasonType> = Exclude<keyof Extract<ApprovalReason, { type: Type }>, 'type'>;
type Shapes = {
  readonly [Type in ReasonType]: { readonly [Name in FieldsOf<Type>]: (value: unknown) => boolean };
};

const SHAPES: Shapes = {
  workspace_escape: { path: isText },
  reference_topic_create: { title: isText, summary: isText },
  reference_topic_refresh: { topic: isText, summary: isText },
  tool_run: { tool: isText, arguments: isObject },
  tool_definition: { server: isText, tool: isText, digest: isText, diff: isText },
  label_command: { label: isText, command: isText },
  knowledge_promote: { entry: isText, text: isText, evidence: isTexts },
  knowledge_add: { title: isText, text: isText },
  knowledge_move: { title: isText, text: isText, visibility: isText },
  subject_propose: { topic: isText, slug: isText },
  workspace_trust: { definitions: isTexts },
};
const FIELDS: ReadonlyMap<string, Readonly<Record<string, (value: unknown) => boolean>>> = new Map(
  Object.entries(SHAPES),
);

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
