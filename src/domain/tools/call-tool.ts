/**
 * The one way to call a tool: find it, check the arguments, decide by its policy, ask, note the decision, run it,
 * limit the result. Every way in uses it: the turn, MCP, the library and `ken tools run`.
 */

import type { Json, JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/similar.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import { type ApprovalPorts, type ApprovalResult, seekApproval } from '../approvals/seek-approval.ts';
import { checkArguments } from './check-arguments.ts';
import { limitOutcome, type ResultPorts } from './limit-result.ts';
import { type RunPorts, runTool, type ToolCall } from './run-tool.ts';
import { failure, type Tool, type ToolMaker, type ToolResult } from './tool.ts';

export type CallPorts = ApprovalPorts & ResultPorts & RunPorts;

export interface CallInput {
  /** Tools that the caller may use. */
  readonly tools: readonly Tool[];
  readonly name: string;
  readonly arguments: Json;
  readonly caller: ToolCaller;
  readonly workspace: string;
  /** The conversation in which it is called; absent elsewhere, where nothing can be approved for longer. */
  readonly conversation?: string;
  /** Labels that the tool may know. */
  readonly labels?: ToolCall['labels'];
  /** Shows the call to the operator; the tool is asked when this is absent. */
  shown?(): Promise<string | undefined>;
  /** Limits the text of the result, if the tool's own limit is higher. */
  readonly limitBytes?: number;
}

/**
 * `asks`: the operator decides about a tool whose policy is `ask`; a denied tool is not found. `is-the-operator`: a
 * person calls it at their own terminal or on the page, which is recorded as their decision.
 */
export type ToolCaller =
  | { readonly policy: 'asks'; readonly actor: string }
  | { readonly policy: 'is-the-operator'; readonly through?: 'web'; name(): Promise<string> };

export interface CalledTool extends ToolResult {
  /** Why the tool did not run; a model sees it as `outcome`. */
  readonly refused?: Refusal;
  readonly wasCut?: boolean;
}

export type Refusal =
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'bad-arguments'; readonly message: string }
  | { readonly kind: 'not-granted'; readonly result: ApprovalResult };

/** Throws a Fault only for failures of the host. */
export async function callTool(ports: CallPorts, input: CallInput, signal: AbortSignal): Promise<CalledTool> {
  const usable = input.tools.filter(({ run }) => run !== 'deny' || input.caller.policy === 'is-the-operator');
  const tool = usable.find(({ name }) => name === input.name);
  if (!tool) return unknownTool(input.name, usable);
  const checked = checkArguments(tool, input.arguments);
  if (!checked.fits) {
    const { message } = checked;
    return { outcome: failure(message), refused: { kind: 'bad-arguments', message } };
  }
  const call = { tool, arguments: checked.arguments, labels: input.labels };
  const decided = tool.run === 'unattended' ? undefined : await decide(ports, input, call, signal);
  if (decided && decided.kind !== 'granted') return notGranted(decided);
  const result = await runTool(ports, call, signal);
  const limit = Math.min(tool.resultLimitBytes ?? Infinity, input.limitBytes ?? Infinity);
  return { ...result, ...(await limitOutcome(ports, result.outcome, limit)) };
}

/** For `CallInput.tools`: the named tool alone; all of them if it is not there or denied, so that the error can list them. */
export function toolsNamed(makers: readonly ToolMaker[], name: string): readonly Tool[] {
  const [, make] = makers.find(([each]) => each === name) ?? [];
  const tool = make?.();
  return tool && tool.run !== 'deny' ? [tool] : makers.flatMap(([, each]) => each() ?? []);
}

function unknownTool(name: string, usable: readonly Tool[]): CalledTool {
  const names = usable.map((tool) => tool.name);
  const hint = didYouMean(name, names) ?? `Known tools: ${names.join(', ') || 'none'}.`;
  return {
    outcome: failure(`There is no tool named "${name}". ${hint}`),
    refused: { kind: 'unknown', names },
  };
}

async function decide(
  ports: CallPorts,
  { caller, workspace, shown, conversation }: CallInput,
  { tool, arguments: given }: ToolCall,
  signal: AbortSignal,
): Promise<ApprovalResult> {
  const reason = { type: 'tool_run', tool: tool.name, arguments: given } as const;
  const asked = {
    reason,
    workspace,
    shown: withAccess(tool, shown ? await shown() : await shownArguments(tool, given)),
  };
  tool.warmForCall?.();
  if (caller.policy === 'asks') {
    const standing = conversation === undefined ? undefined : standingOf(conversation, tool, given);
    return seekApproval(ports, { ...asked, request: reason, actor: caller.actor, standing }, signal);
  }
  const by = await caller.name();
  const { through = 'terminal' } = caller;
  const approver = {
    isThere: async () => true,
    asksAgain: async () => true,
    ask: async () => ({ verdict: 'approve', by, through }) as const,
  };
  // The request differs from an assistant's, so that no approval which waits for an assistant is decided or used up.
  const request = { ...reason, by: 'operator' };
  return seekApproval({ ...ports, approver }, { ...asked, request, actor: by }, signal);
}

function standingOf(conversation: string, tool: Tool, given: JsonObject) {
  const scope = tool.standingScope?.(given);
  if (!scope) return undefined;
  const { name, description, parameters, access = null, reach } = tool;
  const definition = { description, parameters, access, reach, scope: scope.definition };
  return { conversation, tool: name, covers: scope.covers, definition };
}

function withAccess({ access }: Tool, shown: string | undefined): string | undefined {
  if (access === undefined) return shown;
  return shown === undefined ? access : `${access} ${shown}`;
}

function notGranted(result: ApprovalResult): CalledTool {
  const { kind, approval } = result;
  const refused = { kind: 'not-granted', result } as const;
  if (kind === 'pending')
    return {
      outcome: failure(toApprovalError(approval.reason)),
      data: { approval_id: approval.id },
      refused,
    };
  const { state } = approval;
  const note = 'decision' in state && state.decision?.note;
  const why = note ? `: ${note}${/[.?!]$/.test(note) ? '' : '.'}` : '.';
  return {
    outcome: failure(`The operator denied this call${why} Ask for something smaller, or go on without it.`),
    refused,
  };
}

const FORMAT_MS = 1_000;

/** Undefined when the tool has nothing to show, or takes too long. */
export async function shownArguments(tool: Tool, given: JsonObject): Promise<string | undefined> {
  const request = { action: 'format-arguments', arguments: given, answers: {} } as const;
  try {
    const { outcome } = await tool.call(request, AbortSignal.timeout(FORMAT_MS));
    return outcome.type === 'success' && outcome.text !== '' ? outcome.text : undefined;
  } catch {
    return undefined;
  }
}
