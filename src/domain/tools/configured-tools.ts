/** `conversation.tools` and what ken brings itself, as one list of tools. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { type CommandPorts, commandTool } from './command-tool.ts';
import type { ComponentHost } from './component-host.ts';
import { componentTool } from './component-tool.ts';
import { type ResultPorts, readResultTool } from './limit-result.ts';
import type { Tool } from './tool.ts';
import type { ToolOrigin, ToolSettings } from './tool-settings.ts';

export interface ToolPorts extends CommandPorts, ResultPorts {
  readonly components: ComponentHost;
}

export interface ToolsInput {
  readonly settings: readonly ToolSettings[];
  /** ken's own tools. One that cannot be used at the moment (`learn` without a topic) is undefined. */
  readonly builtins: ReadonlyMap<string, Tool | undefined>;
  /** The workspace. */
  readonly root: string;
  /** The trusted digests of the workspace's components, by the path in its configuration. */
  readonly trustedDigests: ReadonlyMap<string, string>;
  readonly wasmTimeoutMs: number;
}

/** The part of a foreign tool's result that the assistant sees, unless it is configured. */
export const RESULT_LIMIT_BYTES = 32 * 1024;

/** Those that are enabled, each once; tools of servers are not among them. */
export function configuredTools(ports: ToolPorts, input: ToolsInput): Tool[] {
  const configured = input.settings.filter(({ source }) => source.kind !== 'mcp');
  const replaced = new Set(
    configured.flatMap(({ name, source }) => (source.kind === 'builtin' ? [source.tool, name] : [name])),
  );
  const own = [...input.builtins].flatMap(([name, tool]) => (tool && !replaced.has(name) ? [tool] : []));
  const tools = configured
    .filter(({ isEnabled }) => isEnabled)
    .flatMap((settings) => toolOf(ports, input, settings));
  const needsReading = input.settings.some(({ source, isEnabled }) => isEnabled && source.kind !== 'builtin');
  return [...own, ...tools, ...(needsReading ? [readResultTool(ports, RESULT_LIMIT_BYTES)] : [])];
}

/** None for a builtin that cannot be used at the moment, and for tools of servers. */
export function toolOf(ports: ToolPorts, input: ToolsInput, settings: ToolSettings): Tool[] {
  const { source, resultLimitBytes } = settings;
  if (source.kind === 'mcp') return [];
  if (source.kind === 'builtin') {
    const tool = builtinTool(input, settings, source.tool);
    if (!tool) return [];
    return [resultLimitBytes === undefined ? tool : { ...tool, resultLimitBytes }];
  }
  const tool =
    source.kind === 'wasm'
      ? wasmTool(ports, input, settings, source)
      : commandTool(ports, { settings, command: source.command, tool: source.tool, root: input.root });
  return [{ ...tool, resultLimitBytes: resultLimitBytes ?? RESULT_LIMIT_BYTES }];
}

function builtinTool(input: ToolsInput, settings: ToolSettings, name: string): Tool | undefined {
  if (!input.builtins.has(name)) {
    throw new Fault('tools/unknown-builtin', `There is no builtin tool "${name}".`, {
      hint:
        didYouMean(name, input.builtins.keys()) ?? `Builtin tools: ${[...input.builtins.keys()].join(', ')}.`,
    });
  }
  const tool = input.builtins.get(name);
  if (!tool) return undefined;
  const { description = tool.description, run = tool.run } = settings;
  return { ...tool, name: settings.name, description, run };
}

function wasmTool(
  ports: ToolPorts,
  { root, trustedDigests, wasmTimeoutMs }: ToolsInput,
  settings: ToolSettings,
  { wasm, tool }: Extract<ToolOrigin, { kind: 'wasm' }>,
): Tool {
  const { name, parameters, description = `Runs the component ${wasm.file}`, run = 'ask' } = settings;
  const key = `conversation.tools.${name}`;
  const file = `${root}/${insidePath(`${key}.wasm`, wasm.file)}`;
  const sha256 = trustedDigests.get(wasm.file);
  return componentTool(ports, {
    name,
    description,
    parameters,
    run,
    component: sha256 === undefined ? { file } : { file, sha256 },
    tool,
    root,
    access: wasm.access,
    paths: wasm.paths.map((path) => insidePath(`${key}.paths`, path)),
    timeoutMs: settings.timeoutMs ?? wasmTimeoutMs,
  });
}

/** Normalised; empty for the workspace itself. */
function insidePath(key: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\0') || parts.includes('..')) {
    throw new Fault('config/invalid', `${key} leads out of the workspace: ${JSON.stringify(path)}.`, {
      hint: 'Paths of tools are relative to the workspace and stay inside it.',
    });
  }
  return parts.join('/');
}
