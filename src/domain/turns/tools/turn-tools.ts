import { Fault } from '../../../base/fault.ts';
import type { ApprovalPorts } from '../../approvals/seek-approval.ts';
import type { Labels } from '../../labels/label.ts';
import { callTool, shownArguments } from '../../tools/call-tool.ts';
import { checkArguments } from '../../tools/check-arguments.ts';
import type { ResultPorts } from '../../tools/limit-result.ts';
import type { AnswerQuestion } from '../../tools/run-tool.ts';
import { EndedCall, failure, type Tool } from '../../tools/tool.ts';
import type { ModelToolCall } from '../model/model.ts';
import type { TurnTools } from '../run-turn.ts';

export interface ToolPorts extends ApprovalPorts, ResultPorts {
  readonly answerQuestion: AnswerQuestion;
}

export interface TurnToolsInput {
  readonly tools: readonly Tool[];
  readonly workspace: string;
  /** Name under which the operator is asked. */
  readonly actor: string;
  /** Keys of the labels that tools may know. */
  readonly exposed?: readonly string[];
}

export function turnTools(
  ports: ToolPorts,
  { tools, workspace, actor, exposed = [] }: TurnToolsInput,
): TurnTools {
  const offered = tools.filter(({ run }) => run !== 'deny');
  const shown = shownOnce(offered);
  return {
    definitions: offered.map(({ name, description, parameters }) => ({ name, description, parameters })),
    describe: async (call) =>
      offered.some(({ name }) => name === call.name)
        ? `${call.name} ${(await shown(call)) ?? JSON.stringify(call.arguments)}`
        : call.name,
    async call(call, watch, signal) {
      const input = {
        tools: offered,
        name: call.name,
        arguments: call.arguments,
        caller: { policy: 'asks', actor },
        workspace,
        conversation: watch.conversation,
        labels: exposedLabels(watch.labels, exposed),
        shown: () => shown(call),
      } as const;
      try {
        const { outcome, receipt } = await callTool({ ...ports, ...watch }, input, signal);
        return { outcome, ...(receipt && { receipt }) };
      } catch (error) {
        // The host failed, not the tool; the model gets the reason and the turn goes on. A bug is thrown.
        if (!(error instanceof Fault)) throw error;
        const outcome = failure(error.message, error.hint ? [error.hint] : []);
        return { outcome, ...(error instanceof EndedCall && { receipt: error.receipt }) };
      }
    },
  };
}

type ShowCall = (call: ModelToolCall) => Promise<string | undefined>;

/** Asks the tool once how it shows a call, for the terminal and for the approval. */
function shownOnce(tools: readonly Tool[]): ShowCall {
  const known = new WeakMap<ModelToolCall, Promise<string | undefined>>();
  const show: ShowCall = async (call) => {
    const tool = tools.find(({ name }) => name === call.name);
    const checked = tool && checkArguments(tool, call.arguments);
    return tool && checked?.fits ? shownArguments(tool, checked.arguments) : undefined;
  };
  return (call) => {
    const shown = known.get(call) ?? show(call);
    known.set(call, shown);
    return shown;
  };
}

/** Undefined when none is exposed. */
function exposedLabels(
  labels: Labels = new Map(),
  exposed: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const shown = [...labels].filter(([key]) => exposed.includes(key));
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}
