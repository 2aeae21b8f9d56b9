/** The tools of a turn: found by name, their arguments checked, and a person asked where the policy wants it. */

import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/similar.ts';
import type { ApprovalRequest } from '../approvals/approval.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import type { ApprovalReason } from '../approvals/reason.ts';
import { decisionNote, type Permission } from '../approvals/seek-approval.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { type AnswerQuestion, runTool } from '../tools/run-tool.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { failure, type Tool } from '../tools/tool.ts';
import type { ModelToolCall } from './model.ts';
import type { CalledTool, CallWatch, TurnTools } from './run-turn.ts';

export interface ToolPorts {
  /** One at a time; what is asked meanwhile waits. `shown` is how the tool shows the call. */
  seekApproval(asked: Pick<ApprovalRequest, 'reason' | 'shown'>, signal: AbortSignal): Promise<Permission>;
  readonly answerQuestion: AnswerQuestion;
}

export function turnTools(ports: ToolPorts, tools: readonly Tool[]): TurnTools {
  const byName = new Map(tools.filter(({ run }) => run !== 'deny').map((tool) => [tool.name, tool]));
  const shown = shownOnce(byName);
  return {
    definitions: [...byName.values()].map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
    describe: async (call) =>
      byName.has(call.name)
        ? `${call.name} ${(await shown(call)) ?? JSON.stringify(call.arguments)}`
        : call.name,
    call: (call, watch, signal) => callTool({ ...ports, ...watch, shown }, byName, call, signal),
  };
}

interface CallPorts extends ToolPorts, CallWatch {
  readonly shown: ShowCall;
}

type ShowCall = (call: ModelToolCall) => Promise<string | undefined>;

/** How its tool shows a call; asked once, for the line in the terminal and for the approval. */
function shownOnce(tools: ReadonlyMap<string, Tool>): ShowCall {
  const known = new WeakMap<ModelToolCall, Promise<string | undefined>>();
  const show: ShowCall = async (call) => {
    const tool = tools.get(call.name);
    const checked = tool && checkArguments(tool, call.arguments);
    return tool && checked?.fits ? shownArguments(tool, checked.arguments) : undefined;
  };
  return (call) => {
    const shown = known.get(call) ?? show(call);
    known.set(call, shown);
    return shown;
  };
}

async function callTool(
  ports: CallPorts,
  tools: ReadonlyMap<string, Tool>,
  call: ModelToolCall,
  signal: AbortSignal,
): Promise<CalledTool> {
  const tool = tools.get(call.name);
  if (!tool) return { outcome: failure(unknownTool(call.name, [...tools.keys()])) };
  const checked = checkArguments(tool, call.arguments);
  if (!checked.fits) return { outcome: failure(checked.message) };
  try {
    const refused = await refusal(ports, tool, { call, arguments: checked.arguments }, signal);
    if (refused) return refused;
    return await runTool(ports, { tool, arguments: checked.arguments }, signal);
  } catch (error) {
    // The host failed, not the tool; the model is told and the turn goes on. A bug is not swallowed.
    if (!(error instanceof Fault)) throw error;
    return { outcome: failure(error.message, error.hint ? [error.hint] : []) };
  }
}

function unknownTool(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) ?? `Known tools: ${known.join(', ') || 'none'}.`;
  return `There is no tool named "${name}". ${hint}`;
}

async function refusal(
  ports: CallPorts,
  tool: Tool,
  { call, arguments: given }: { readonly call: ModelToolCall; readonly arguments: JsonObject },
  signal: AbortSignal,
): Promise<CalledTool | undefined> {
  if (tool.run !== 'ask') return undefined;
  const reason: ApprovalReason = { type: 'tool_run', tool: tool.name, arguments: given };
  const permission = await ports.seekApproval({ reason, shown: await ports.shown(call) }, signal);
  await ports.noteDecision(decisionNote(permission));
  const { kind } = permission;
  if (kind === 'granted') return undefined;
  if (kind === 'denied')
    return {
      outcome: failure('The operator denied this call. Ask for something smaller, or go on without it.'),
    };
  return { outcome: failure(toApprovalError(reason)) };
}
