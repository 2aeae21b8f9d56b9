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
import { shortQuote } from '../../domain/knowledge-base/inert-text.ts';
import { callTool as callOneTool, toolsNamed } from '../../domain/tools/call-tool.ts';
import { failure, type Tool, type ToolResult } from '../../domain/tools/tool.ts';
import { assistantHint } from '../../domain/tools/unattended-tool.ts';
import { type Caller, callerOf } from './caller.ts';
import { clientApprover, FormNeeded, formFor } from './client-approver.ts';
import { createdTask } from './extensions/tasks.ts';
import { jobResult, type Stage, withinLimit } from './long-call.ts';
import { pageFor, untilDecided } from './page-approval.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { toolMakers, toolsFor } from './tool-list.ts';
import { asCallResult, errorResult, RESULT_LIMIT_BYTES } from './tool-result.ts';

type Answer = CallToolResult | InputRequiredResult;

export async function callTool(
  served: ServedWorkspace,
  server: Server,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<Answer> {
  const caller = personalCaller(served, callerOf(server, context));
  const approver = clientApprover(caller, served.app.config.mcp.trusted_clients);
  const app = { ...served.app, approver };
  const call = {
    tools: await servedTools(served, app, caller.name, params.name),
    name: params.name,
    arguments: { ...params.arguments } as JsonObject,
    caller,
  };
  const detached = (id: string) => (caller.hasTasks ? createdTask(served, id) : jobResult(id));
  return withinLimit({ ...served, detached }, context, titleOf(call), (stage) =>
    answer(served, app, call, stage),
  );
}

/** Where there are several people, what is written names the one whose assistant it was. */
function personalCaller({ person }: ServedWorkspace, caller: Caller): Caller {
  return person === undefined ? caller : { ...caller, name: `${person} (${caller.name})` };
}

/** Tools read files when they are called, so that only a name that is not there needs fresh topics. */
async function servedTools(
  served: ServedWorkspace,
  app: ServedWorkspace['app'],
  actor: string,
  name: string,
): Promise<readonly Tool[]> {
  const isNamed = (tool: Tool) => tool.name === name && tool.run !== 'deny';
  const known = toolsNamed(await toolMakers(served, app, actor, 'any'), name);
  if (known.some(isNamed)) return known;
  const tools = await toolsFor(served, app, actor);
  if (tools.some(isNamed)) return tools;
  throw unknownTool(
    name,
    tools.map((tool) => tool.name),
  );
}

interface Call {
  readonly tools: readonly Tool[];
  readonly name: string;
  readonly arguments: JsonObject;
  readonly caller: Caller;
}

const MAX_SHOWN = 80;

function titleOf({ name, arguments: given, caller }: Call): string {
  const whole = JSON.stringify(given);
  const shown = whole.length > MAX_SHOWN ? `${whole.slice(0, MAX_SHOWN).toWellFormed()}…` : whole;
  return `${name} ${shown} for ${caller.name}`;
}

async function answer(
  served: ServedWorkspace,
  app: ServedWorkspace['app'],
  { caller, ...call }: Call,
  { signal, onProgress, isDetached }: Stage,
): Promise<Answer> {
  const ports = { ...app, onProgress, answerQuestion: async () => undefined };
  const input = {
    ...call,
    caller: { policy: 'asks', actor: caller.name },
    workspace: app.workspace.root,
    limitBytes: RESULT_LIMIT_BYTES,
  } as const;
  try {
    await untilDecided(served, caller, signal);
    const called = await callOneTool(ports, input, signal);
    const waiting = called.outcome.type === 'error' ? called.data?.approval_id : undefined;
    const page =
      typeof waiting === 'string' && !isDetached() ? await pageFor(served, caller, waiting) : undefined;
    if (page) return page;
    const result = asCallResult(withApprovalNote(called, served), called.wasCut ?? false);
    if (!caller.hasCards) return result;
    const { withCard } = await import('./extensions/cards.ts');
    return await withCard(served, call, result);
  } catch (error) {
    if (error instanceof FormNeeded) return isDetached() ? tooLateToAsk(error) : formFor(error.approval);
    if (signal.aborted) throw error;
    if (error instanceof Fault)
      return errorResult([error.message, assistantHint(error.hint)].filter(Boolean).join(' '));
    served.report(error);
    return errorResult(`${call.name} failed by a mistake of ken's own; its standard error says more.`);
  }
}

/** Adds the id of a pending approval, and how the operator decides. */
function withApprovalNote(
  result: ToolResult,
  { decidesAt }: Pick<ServedWorkspace, 'decidesAt'> = {},
): ToolResult {
  const id = result.data?.approval_id;
  if (result.outcome.type !== 'error' || typeof id !== 'string') return result;
  const decide = decidesAt
    ? `a person of the team decides at ${decidesAt}. `
    : `only the operator can decide, by running "ken approvals approve ${id}" in a terminal. `;
  const note =
    `Pending, id ${id}: ${decide}` + `Tell them so. job_status {"id":"${id}"} says what came of it.`;
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

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const hint = didYouMean(name, names) ?? `Tools: ${names.join(', ')}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shortQuote(name)}. ${hint}`);
}
