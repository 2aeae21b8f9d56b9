import type { DefinitionSource } from '../../../base/approvals.ts';
import { Fault } from '../../../base/fault.ts';
import { didYouMean } from '../../../base/similar.ts';
import type { ApprovalPorts } from '../../approvals/seek-approval.ts';
import { openTopics } from '../../knowledge-base/open-topics.ts';
import { type Preload, preload } from '../../knowledge-base/preload.ts';
import type { KnowledgeBase, OfferingPorts } from '../../knowledge-base/topic.ts';
import type { Actor } from '../../ledger/add-entry.ts';
import {
  type ToolPorts as ConfiguredPorts,
  type ConfiguredTools,
  configuredTools,
  isLocal,
  RESULT_LIMIT_BYTES,
  type ToolsInput,
  toolOf,
} from '../../tools/configured-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import { type ToolEntry, type ToolSettings, toolSettings } from '../../tools/tool-settings.ts';
import { assistantKnowledge, type KnowledgeConfig } from '../assistant-knowledge.ts';
import { type BuiltinPorts, builtinTools } from './builtin-tools.ts';
import type { ServerTools, ServerToolsInput, ServerToolsPorts } from './server-tools.ts';

export type AssistantPorts = BuiltinPorts &
  Pick<OfferingPorts, 'personalTopics'> &
  ConfiguredPorts &
  ServerToolsPorts & {
    readonly config: AssistantConfig;
    readonly settings: TrustedSources;
  };

export interface AssistantConfig extends KnowledgeConfig {
  readonly assistant: { readonly name: string; readonly model: string };
  readonly conversation: { readonly tools: Readonly<Record<string, ToolEntry>> };
  readonly providers: { readonly mcp: ServerToolsInput['servers'] };
  readonly tools: { readonly wasm: { readonly timeout_s: number } };
}

export interface AssistantTools extends ConfiguredTools {
  readonly settings: readonly ToolSettings[];
}

export interface AssistantKnowledge {
  readonly knowledge: KnowledgeBase;
  readonly preloaded: Preload;
}

export async function openKnowledge(
  ports: Pick<AssistantPorts, 'topicFiles'>,
  knowledge: KnowledgeBase,
): Promise<AssistantKnowledge> {
  return { knowledge, preloaded: preload(await openTopics(ports, knowledge), knowledge) };
}

export async function assistantTools(
  ports: AssistantPorts,
  known: AssistantKnowledge,
): Promise<AssistantTools> {
  const { assistant } = ports.config;
  const settings = await describedSettings(ports);
  const input = toolsInput(ports, known, { model: assistant.model, settings });
  return { ...configuredTools(ports, input), settings };
}

/** The tools that are functions of components, for callers that get no other configured tools. */
export async function functionTools(ports: AssistantPorts): Promise<readonly Tool[]> {
  const { config, workspace } = ports;
  const settings = (await describedSettings(ports)).filter(isLocal);
  const place = {
    root: workspace.root,
    trustedDigests: trustedDigests(ports.settings),
    wasmTimeoutMs: config.tools.wasm.timeout_s * 1000,
  };
  const functions = settings.filter(
    ({ source, isEnabled }) => source.kind === 'wasm' && source.ownFunction && isEnabled,
  );
  return configuredTools(ports, { ...place, settings: functions, builtins: new Map() }).tools;
}

/** The settings of all configured tools; a component with functions of its own world has one for each of them. */
export async function describedSettings(
  ports: Pick<AssistantPorts, 'components' | 'settings' | 'workspace'> & {
    readonly config: Pick<AssistantConfig, 'conversation'>;
  },
): Promise<readonly ToolSettings[]> {
  const settings = toolSettings(ports.config.conversation.tools);
  if (!settings.some(({ source }) => source.kind === 'wasm')) return settings;
  const { withFunctions } = await import('../../tools/components/function-tools.ts');
  const input = { root: ports.workspace.root, trustedDigests: trustedDigests(ports.settings) };
  return withFunctions(ports, settings, input);
}

/** For a person: also finds a tool that is not enabled. A Fault when there is none. */
export async function findTool(ports: AssistantPorts, name: string, asking: ServerAsking): Promise<Tool> {
  const known = await openKnowledge(ports, assistantKnowledge(ports));
  const settings = (await describedSettings(ports)).map((each) =>
    each.name === name ? { ...each, isEnabled: true } : each,
  );
  const input = toolsInput(ports, known, { model: undefined, settings });
  const configured = settings.find((each) => each.name === name);
  if (configured?.source.kind === 'mcp') return oneServerTool(ports, configured, asking);
  if (configured && isLocal(configured)) return toolOf(ports, input, configured);
  const { tools, leftOut } = configuredTools(ports, input);
  const found = tools.find((each) => each.name === name);
  if (found) return found;
  const broken = leftOut.find((each) => each.name === name);
  if (broken) throw broken.fault;
  const names = [...input.builtins.keys(), ...settings.map((each) => each.name)];
  const functions = names.filter((each) => each.startsWith(`${name}_`));
  throw new Fault('tools/not-found', `There is no tool "${name}" that can be used here.`, {
    hint:
      functions.length > 0
        ? `Its functions are tools: ${functions.join(', ')}.`
        : (didYouMean(
            name,
            names.filter((each) => each !== name),
          ) ?? `See "ken tools ls".`),
  });
}

export interface ServerAsking extends Pick<ApprovalPorts, 'recordDecision'> {
  readonly signal: AbortSignal;
}

/** Starts their servers, and may ask the operator about them. */
export async function assistantServerTools(
  ports: AssistantPorts,
  settings: readonly ToolSettings[],
  { signal, recordDecision }: ServerAsking,
): Promise<ServerTools> {
  const input = {
    settings: settings.filter(({ isEnabled, run }) => isEnabled && run !== 'deny'),
    servers: ports.config.providers.mcp,
    workspace: ports.workspace.root,
    actor: ports.config.assistant.name,
    resultLimitBytes: RESULT_LIMIT_BYTES,
  };
  const { serverTools } = await import('./server-tools.ts');
  return serverTools({ ...ports, recordDecision }, input, signal);
}

async function oneServerTool(
  ports: AssistantPorts,
  settings: ToolSettings,
  asking: ServerAsking,
): Promise<Tool> {
  const named = { ...settings, isEnabled: true, run: 'unattended' as const };
  const { tools, leftOut } = await assistantServerTools(ports, [named], asking);
  const [tool] = tools;
  if (tool) return { ...tool, run: settings.run ?? 'ask' };
  throw leftOut[0]?.fault ?? new Error(`nothing became of the tool ${settings.name}`);
}

function toolsInput(
  ports: AssistantPorts,
  { knowledge, preloaded }: AssistantKnowledge,
  { model, settings }: { model: string | undefined; settings: readonly ToolSettings[] },
): ToolsInput {
  const { config, ids, workspace } = ports;
  return {
    settings,
    // The assistant acts under its own name.
    builtins: builtinTools(ports, {
      knowledge,
      opened: preloaded.opened,
      actor: assistantActor(config.assistant.name, ids),
      model,
      settings,
    }),
    root: workspace.root,
    trustedDigests: trustedDigests(ports.settings),
    wasmTimeoutMs: config.tools.wasm.timeout_s * 1000,
  };
}

/** The id of a run is made at its first use, as that loads Node's crypto. */
function assistantActor(name: string, ids: AssistantPorts['ids']): Actor {
  let run: string | undefined;
  return {
    name,
    get run() {
      run ??= ids.ulid();
      return run;
    },
  };
}

export interface TrustedSources {
  readonly isTrusted: boolean;
  readonly sources: readonly DefinitionSource[];
}

/** The digests of the components that a trusted workspace names, by path. */
export function trustedDigests({ isTrusted, sources }: TrustedSources): ReadonlyMap<string, string> {
  const definitions = isTrusted ? sources.flatMap((source) => source.definitions) : [];
  return new Map(
    definitions.flatMap((each) => (each.kind === 'component' ? [[each.path, each.sha256] as const] : [])),
  );
}
