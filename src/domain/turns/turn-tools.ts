/** The tools of a turn: found by name, their arguments checked, and a person asked where the policy wants it. */

import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/similar.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import type { ApprovalReason } from '../approvals/reason.ts';
import { decisionNote, type Permission } from '../approvals/seek-approval.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { type AnswerQuestion, runTool } from '../tools/run-tool.ts';
import { failure, type Tool } from '../tools/tool.ts';
import type { ModelToolCall } from './model.ts';
import type { CalledTool, CallWatch, TurnTools } from './run-turn.ts';

export interface ToolPorts {
  /** One at a time; what is asked meanwhile waits. */
  seekApproval(reason: ApprovalReason, signal: AbortSignal): Promise<Permission>;
  readonly answerQuestion: AnswerQuestion;
}

export function turnTools(ports: ToolPorts, tools: readonly Tool[]): TurnTools {
  const byName = new Map(tools.filter(({ run }) => run !== 'deny').map((tool) => [tool.name, tool]));
  return {
    definitions: [...byName.values()].map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
    describe: async (call) => {
      const tool = byName.get(call.name);
      return tool ? shownCall(tool, call) : call.name;
    },
    call: (call, watch, signal) => callTool({ ...ports, ...watch }, byName, call, signal),
  };
}

type CallPorts = ToolPorts & CallWatch;

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
    const refused = await refusal(ports, tool, { ...call, arguments: checked.arguments }, signal);
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
  call: ModelToolCall & { readonly arguments: JsonObject },
  signal: AbortSignal,
): Promise<CalledTool | undefined> {
  if (tool.run !== 'ask') return undefined;
  const reason: ApprovalReason = { type: 'tool_run', tool: tool.name, arguments: call.arguments };
  const permission = await ports.seekApproval(reason, signal);
  await ports.noteDecision(decisionNote(permission));
  const { kind } = permission;
  if (kind === 'granted') return undefined;
  if (kind === 'denied')
    return {
      outcome: failure('The operator denied this call. Ask for something smaller, or go on without it.'),
    };
  return { outcome: failure(toApprovalError(reason)) };
}

/** What the tool itself would show, else its arguments as JSON. */
async function shownCall(tool: Tool, call: ModelToolCall): Promise<string> {
  const plain = `${call.name} ${JSON.stringify(call.arguments)}`;
  const checked = checkArguments(tool, call.arguments);
  if (!checked.fits) return plain;
  try {
    const request = { action: 'format-arguments', arguments: checked.arguments, answers: {} } as const;
    const { outcome } = await tool.call(request, AbortSignal.timeout(FORMAT_MS));
    return outcome.type === 'success' && outcome.text !== '' ? `${call.name} ${outcome.text}` : plain;
  } catch {
    return plain;
  }
}

const FORMAT_MS = 1_000;
