import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { type CommandPorts, commandTool } from './command-tool.ts';
import type { ComponentHost } from './component-host.ts';
import { componentTool } from './component-tool.ts';
import { componentSource, componentToCheck } from './components/component-source.ts';
import { fileGrants } from './components/file-access.ts';
import { outsideGrants } from './components/outside-access.ts';
import type { StandingScope, Tool, ToolMaker } from './tool.ts';
import { orFault, type ToolOrigin, type ToolSettings } from './tool-settings.ts';

export interface ToolPorts extends CommandPorts {
  readonly components: ComponentHost;
}

/** A tool of ken's own, as it is configured. */
export interface Builtin {
  /** Its name before it is configured. */
  readonly origin: string;
  /** Undefined when it cannot be used at the moment: `learn` without a topic. */
  make(): Tool | undefined;
  /** Why it can never be used. */
  readonly fault?: Fault;
}

export type Builtins = ReadonlyMap<string, Builtin>;

/** Where configured tools run, and which components may. */
export interface ToolPlace {
  readonly root: string;
  /** Trusted digests of the workspace's components, by the path in its configuration. */
  readonly trustedDigests: ReadonlyMap<string, string>;
  readonly wasmTimeoutMs: number;
}

export interface ToolsInput extends ToolPlace {
  readonly settings: readonly ToolSettings[];
  /** Includes tools that cannot be used at the moment (`learn` without a topic) as undefined. */
  readonly builtins: Builtins;
}

/** Default limit for the result of a foreign tool. */
export const RESULT_LIMIT_BYTES = 32 * 1024;

export interface LeftOutTool {
  readonly name: string;
  readonly fault: Fault;
}

export interface ConfiguredTools {
  /** Those that are enabled, each once; tools of servers are not among them. */
  readonly tools: readonly Tool[];
  /** Enabled ones that cannot be used because of a mistake. */
  readonly leftOut: readonly LeftOutTool[];
}

export function configuredTools(ports: ToolPorts, input: ToolsInput): ConfiguredTools {
  const tools: Tool[] = [];
  const leftOut: LeftOutTool[] = [];
  const local = input.settings.filter(isLocal).filter((each) => !isTaken(input.builtins, each));
  const replaced = new Set(local.map(({ name }) => name));
  for (const [name, { make, fault }] of input.builtins) {
    const tool = replaced.has(name) ? undefined : make();
    if (tool) tools.push(tool);
    if (fault) leftOut.push({ name, fault });
  }
  for (const settings of input.settings.filter(({ isEnabled }) => isEnabled)) {
    const { name, source } = settings;
    if (source.kind === 'broken') leftOut.push({ name, fault: source.fault });
    if (!isLocal(settings)) continue;
    const made = isTaken(input.builtins, settings)
      ? takenName(name)
      : orFault(() => toolOf(ports, input, settings));
    if (made instanceof Fault) leftOut.push({ name, fault: made });
    else tools.push(made);
  }
  return { tools, leftOut };
}

function isTaken(builtins: Builtins, { name, source }: LocalSettings): boolean {
  return source.kind === 'wasm' && source.ownFunction !== undefined && builtins.has(name);
}

/** An entry may replace a builtin on purpose; a function of a component would do so unseen. */
export function takenName(name: string): Fault {
  return new Fault('config/invalid', `There are two tools named "${name}".`, {
    hint: 'A function of a component is called ENTRY_FUNCTION; rename the entry in conversation.tools.',
  });
}

type LocalSettings = ToolSettings & { readonly source: Extract<ToolOrigin, { kind: 'wasm' | 'command' }> };

export function isLocal(settings: ToolSettings): settings is LocalSettings {
  return settings.source.kind === 'wasm' || settings.source.kind === 'command';
}

export function toolOf(ports: ToolPorts, input: ToolPlace, settings: LocalSettings): Tool {
  const { source, resultLimitBytes = RESULT_LIMIT_BYTES } = settings;
  const tool =
    source.kind === 'wasm'
      ? wasmTool(ports, input, settings, source)
      : commandTool(ports, { settings, command: source.command, tool: source.tool, root: input.root });
  return { ...tool, resultLimitBytes };
}

/** ken's own tools as `conversation.tools` names, describes and enables them, and lets them run. */
export function configuredBuiltins(
  makers: readonly ToolMaker[],
  settings: readonly ToolSettings[],
): Builtins {
  const known = new Map(makers);
  const builtins = new Map(makers.map(([origin, make]): [string, Builtin] => [origin, { origin, make }]));
  const configured = settings.filter(({ source }) => source.kind === 'builtin' || source.kind === 'broken');
  for (const { name, source } of configured) {
    builtins.delete(name);
    builtins.delete(source.tool);
  }
  for (const each of configured) {
    if (each.source.kind === 'broken') continue;
    const origin = each.source.tool;
    const make = known.get(origin);
    // Also when it is switched off: the name may have been meant for one that stays on.
    if (!make) {
      const fault = unknownBuiltin(origin, [...known.keys()]);
      builtins.set(each.name, { origin, make: () => undefined, fault });
    } else if (each.isEnabled) builtins.set(each.name, { origin, make: () => asConfigured(make(), each) });
  }
  return builtins;
}

function unknownBuiltin(name: string, names: readonly string[]): Fault {
  return new Fault('tools/unknown-builtin', `There is no builtin tool "${name}".`, {
    hint: didYouMean(name, names) ?? `Builtin tools: ${names.join(', ')}.`,
  });
}

function asConfigured(tool: Tool | undefined, settings: ToolSettings): Tool | undefined {
  if (!tool) return undefined;
  const { name, description = tool.description, run = tool.run, resultLimitBytes } = settings;
  const standingScope = tool.standingScope ?? (tool.reach === 'read' ? () => everyCall(name) : undefined);
  return {
    ...tool,
    name,
    description,
    run,
    ...(standingScope && { standingScope }),
    ...(resultLimitBytes !== undefined && { resultLimitBytes }),
  };
}

function everyCall(name: string): StandingScope {
  return { covers: `every call of ${name}, with any arguments`, definition: null };
}

function wasmTool(
  ports: ToolPorts,
  { root, trustedDigests, wasmTimeoutMs }: ToolPlace,
  settings: ToolSettings,
  { wasm, tool, ownFunction }: Extract<ToolOrigin, { kind: 'wasm' }>,
): Tool {
  const { name, parameters, description = `Runs the component ${wasm.file}`, run = 'ask' } = settings;
  const key = `conversation.tools.${name}`;
  // A mistake in the configuration is told at once, missing trust when the tool is called.
  componentToCheck(root, name, wasm.file);
  return componentTool(ports, {
    name,
    description,
    parameters,
    run,
    component: () => componentSource({ key: `${key}.wasm`, wasm: wasm.file, root, trustedDigests }),
    tool,
    ...(ownFunction && { ownFunction }),
    root,
    ...fileGrants(key, wasm),
    outside: outsideGrants(key, wasm),
    timeoutMs: settings.timeoutMs ?? wasmTimeoutMs,
  });
}
