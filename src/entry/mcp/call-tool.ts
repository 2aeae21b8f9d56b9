/** One call of a client, from its arguments to its answer. */

import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/similar.ts';
import { toApprovalError } from '../../domain/approvals/approval-text.ts';
import { seekApproval } from '../../domain/approvals/seek-approval.ts';
import { checkArguments } from '../../domain/tools/check-arguments.ts';
import { limitResult } from '../../domain/tools/limit-result.ts';
import { shownArguments } from '../../domain/tools/shown-arguments.ts';
import { failure, type Tool, type ToolResult } from '../../domain/tools/tool.ts';
import { type Caller, callerOf } from './caller.ts';
import { clientApprover, FormNeeded, formFor } from './client-approver.ts';
import { type Stage, withinLimit } from './long-call.ts';
import type { Served } from './served.ts';
import { toolsFor } from './tool-list.ts';
import { asCallResult, errorResult, RESULT_LIMIT_BYTES } from './tool-result.ts';

type Answer = CallToolResult | InputRequiredResult;

export async function callTool(
  served: Served,
  server: Server,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<Answer> {
  const caller = callerOf(server, context);
  const approver = clientApprover(caller, served.app.config.mcp.trusted_clients);
  const app = { ...served.app, approver };
  const tool = await namedTool(served, app, caller.name, params.name);
  const checked = checkArguments(tool, { ...params.arguments } as JsonObject);
  if (!checked.fits) return errorResult(checked.message);
  const call = { tool, arguments: checked.arguments, caller };
  return withinLimit(served, context, titleOf(call), (stage) => answer(served, app, call, stage));
}

/** What a tool reads it reads when it is called, so that only one which is not there needs a fresh look. */
async function namedTool(served: Served, app: Served['app'], actor: string, name: string): Promise<Tool> {
  const isNamed = (tool: Tool) => tool.name === name;
  const known = (await toolsFor(served, app, actor, 'any')).find(isNamed);
  if (known) return known;
  const tools = await toolsFor(served, app, actor);
  const found = tools.find(isNamed);
  if (found) return found;
  throw unknownTool(name, tools);
}

interface Call {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly caller: Caller;
}

const MAX_SHOWN = 80;

function titleOf({ tool, arguments: given, caller }: Call): string {
  const whole = JSON.stringify(given);
  const shown = whole.length > MAX_SHOWN ? `${whole.slice(0, MAX_SHOWN).toWellFormed()}…` : whole;
  return `${tool.name} ${shown} for ${caller.name}`;
}

async function answer(served: Served, app: Served['app'], call: Call, stage: Stage): Promise<Answer> {
  try {
    const limited = cutting(app, call.tool);
    const result =
      (await refusal(app, call, stage.signal)) ??
      (await limited.tool.call(
        { action: 'run', arguments: call.arguments, answers: {}, onProgress: stage.onProgress },
        stage.signal,
      ));
    return asCallResult(withApprovalNote(result), limited.wasCut());
  } catch (error) {
    if (error instanceof FormNeeded)
      return stage.isDetached() ? tooLateToAsk(error) : formFor(error.approval);
    if (stage.signal.aborted) throw error;
    if (error instanceof Fault) return errorResult([error.message, error.hint].filter(Boolean).join(' '));
    served.report(error);
    return errorResult(`${call.tool.name} failed by a mistake of ken's own; its standard error says more.`);
  }
}

/** The tool with its text cut to what fits, and whether it was. */
function cutting(app: Served['app'], tool: Tool): { tool: Tool; wasCut(): boolean } {
  let wasCut = false;
  const results = {
    keep: (text: string) => {
      wasCut = true;
      return app.results.keep(text);
    },
    read: app.results.read,
  };
  return { tool: limitResult({ results }, tool, RESULT_LIMIT_BYTES), wasCut: () => wasCut };
}

/** For a tool that is to be asked about: undefined when it may run. */
async function refusal(
  app: Served['app'],
  { tool, arguments: given, caller }: Call,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  if (tool.run !== 'ask') return undefined;
  const reason = { type: 'tool_run', tool: tool.name, arguments: given } as const;
  const shown = await shownArguments(tool, given);
  const request = { reason, workspace: app.workspace.root, actor: caller.name, request: reason, shown };
  const { kind, approval } = await seekApproval(app, request, signal);
  if (kind === 'granted') return undefined;
  if (kind === 'pending')
    return { outcome: failure(toApprovalError(reason)), data: { approval_id: approval.id } };
  return {
    outcome: failure('The operator denied this call. Ask for something smaller, or go on without it.'),
  };
}

/** What is pending says by which id, and who decides how. */
function withApprovalNote(result: ToolResult): ToolResult {
  const id = result.data?.approval_id;
  if (result.outcome.type !== 'error' || typeof id !== 'string') return result;
  const note =
    `Pending, id ${id}: only the operator can decide, by running "ken approvals approve ${id}" in a terminal. ` +
    `Tell them so. job_status {"id":"${id}"} says what came of it.`;
  return { ...result, outcome: { ...result.outcome, trace: [...result.outcome.trace, note] } };
}

function tooLateToAsk({ approval }: FormNeeded): CallToolResult {
  return asCallResult(
    withApprovalNote({
      outcome: failure(toApprovalError(approval.reason)),
      data: { approval_id: approval.id },
    }),
    false,
  );
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const names = tools.map((tool) => tool.name);
  const hint = didYouMean(name, names) ?? `Tools: ${names.join(', ')}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}". ${hint}`);
}
