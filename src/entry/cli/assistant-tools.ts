/** Everything an assistant may call here: what ken brings, and what is configured. */

import type { WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { ApprovalPorts } from '../../domain/approvals/seek-approval.ts';
import { type OpenTopic, openTopics } from '../../domain/knowledge-base/open-topics.ts';
import { preload } from '../../domain/knowledge-base/preload.ts';
import {
  configuredTools,
  RESULT_LIMIT_BYTES,
  type ToolsInput,
  toolOf,
} from '../../domain/tools/configured-tools.ts';
import type { Tool } from '../../domain/tools/tool.ts';
import { type ToolSettings, toolSettings } from '../../domain/tools/tool-settings.ts';
import type { ServerTools } from '../../domain/turns/server-tools.ts';
import { builtinTools } from '../builtin-tools.ts';
import { queryKnowledge } from './query-knowledge.ts';

export interface AssistantTools {
  /** Enabled ones. */
  readonly tools: readonly Tool[];
  readonly settings: readonly ToolSettings[];
}

/** `opened` is what preloading left of the topics. */
export function assistantTools(app: WorkspaceApp, opened: readonly OpenTopic[]): AssistantTools {
  const input = toolsInput(app, opened, app.config.assistant.model);
  return { tools: configuredTools(app, input), settings: input.settings };
}

/** One of them by name, also one that is not enabled, for a person to call; a Fault when there is none. */
export async function findTool(app: WorkspaceApp, name: string, asking: ServerAsking): Promise<Tool> {
  const input = toolsInput(
    app,
    preload(await openTopics(app, queryKnowledge(app)), queryKnowledge(app)).opened,
    undefined,
  );
  const configured = input.settings.find((each) => each.name === name);
  if (configured?.source.kind === 'mcp') return oneServerTool(app, configured, asking);
  const [tool] = configured ? toolOf(app, input, configured) : [];
  const found = tool ?? configuredTools(app, input).find((each) => each.name === name);
  if (found) return found;
  const known = [...input.builtins.keys(), ...input.settings.map((each) => each.name)];
  const names = known.filter((each) => each !== name);
  throw new Fault('tools/not-found', `There is no tool "${name}" that can be used here.`, {
    hint: didYouMean(name, names) ?? `See "ken tools ls".`,
  });
}

export interface ServerAsking extends Pick<ApprovalPorts, 'noteDecision'> {
  readonly signal: AbortSignal;
}

/** Those of servers among the enabled ones. Their servers are started, and the operator may be asked about them. */
export async function assistantServerTools(
  app: WorkspaceApp,
  settings: readonly ToolSettings[],
  { signal, noteDecision }: ServerAsking,
): Promise<ServerTools> {
  const input = {
    settings: settings.filter(({ isEnabled, run }) => isEnabled && run !== 'deny'),
    servers: app.config.providers.mcp,
    workspace: app.workspace.root,
    actor: app.config.assistant.name,
    resultLimitBytes: RESULT_LIMIT_BYTES,
  };
  const { serverTools } = await import('../../domain/turns/server-tools.ts');
  return serverTools({ ...app, noteDecision }, input, signal);
}

async function oneServerTool(app: WorkspaceApp, settings: ToolSettings, asking: ServerAsking): Promise<Tool> {
  const named = { ...settings, isEnabled: true, run: 'unattended' as const };
  const { tools, leftOut } = await assistantServerTools(app, [named], asking);
  const [tool] = tools;
  if (tool) return { ...tool, run: settings.run ?? 'ask' };
  throw leftOut[0]?.fault ?? new Error(`nothing became of the tool ${settings.name}`);
}

function toolsInput(app: WorkspaceApp, opened: readonly OpenTopic[], model: string | undefined): ToolsInput {
  return {
    settings: toolSettings(app.config.conversation.tools),
    // The assistant acts under its own name.
    builtins: builtinTools(app, {
      knowledge: queryKnowledge(app),
      opened,
      actor: { name: app.config.assistant.name, run: app.ids.ulid() },
      ...(model !== undefined && { model }),
    }),
    root: app.workspace.root,
    trustedDigests: trustedDigests(app),
    wasmTimeoutMs: app.config.tools.wasm.timeout_s * 1000,
  };
}

/** A component of the workspace is used as the bytes that were trusted. */
function trustedDigests({ settings }: WorkspaceApp): ReadonlyMap<string, string> {
  const definitions = settings.sources.flatMap((source) => source.definitions);
  return new Map(
    definitions.flatMap(({ key, value }) => {
      const [, file] = /^sha-256 of (.*)$/.exec(key) ?? [];
      return file === undefined ? [] : [[file, JSON.parse(value)]];
    }),
  );
}
