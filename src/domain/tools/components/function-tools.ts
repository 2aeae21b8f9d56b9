/** A component that exports functions of its own world becomes one tool for each of them. */

import { Fault } from '../../../base/fault.ts';
import type { ComponentFunction, ComponentHost } from '../component-host.ts';
import { takenName } from '../configured-tools.ts';
import { asBroken, type ToolOrigin, type ToolSettings } from '../tool-settings.ts';
import { componentSource } from './component-source.ts';

export interface FunctionPorts {
  readonly components: Pick<ComponentHost, 'describe'>;
}

export interface DescribedInput {
  readonly root: string;
  readonly trustedDigests: ReadonlyMap<string, string>;
}

type WasmSettings = ToolSettings & { readonly source: Extract<ToolOrigin, { kind: 'wasm' }> };

/** Replaces the settings of such components by those of their functions. Reads each component and runs none. */
export async function withFunctions(
  ports: FunctionPorts,
  settings: readonly ToolSettings[],
  input: DescribedInput,
): Promise<readonly ToolSettings[]> {
  const expanded = await Promise.all(
    settings.map(async (each) => (isComponent(each) ? expandOrBreak(ports, each, input) : [each])),
  );
  return unique(expanded.flat());
}

function isComponent(settings: ToolSettings): settings is WasmSettings {
  return settings.source.kind === 'wasm' && settings.isEnabled;
}

async function expandOrBreak(
  ports: FunctionPorts,
  settings: WasmSettings,
  input: DescribedInput,
): Promise<readonly ToolSettings[]> {
  try {
    return await expand(ports, settings, input);
  } catch (error) {
    if (error instanceof Fault) return [asBroken(settings, error)];
    throw error;
  }
}

async function expand(
  ports: FunctionPorts,
  settings: WasmSettings,
  { root, trustedDigests }: DescribedInput,
): Promise<readonly ToolSettings[]> {
  const functions = await describe(ports, settings, { root, trustedDigests });
  if (functions.length === 0) return [settings];
  const { overrides = {} } = settings.source;
  const stray = Object.keys(overrides).find((name) => !functions.some((each) => each.name === name));
  if (stray !== undefined) {
    throw invalid(settings.name, `has no function ${JSON.stringify(stray)}`, functions);
  }
  return functions.map((each) => ofFunction(settings, each));
}

/** A component that cannot be used is one tool, which says so when it is called. */
async function describe(
  { components }: FunctionPorts,
  { name, source }: WasmSettings,
  { root, trustedDigests }: DescribedInput,
): Promise<readonly ComponentFunction[]> {
  try {
    const key = `conversation.tools.${name}.wasm`;
    return await components.describe(componentSource({ key, wasm: source.wasm.file, root, trustedDigests }));
  } catch (error) {
    if (error instanceof Fault && error.code !== 'config/invalid') return [];
    throw error;
  }
}

const TOOL_NAME = /^[a-z0-9_-]{1,64}$/i;

function ofFunction(
  settings: WasmSettings,
  { name: of, description, ...types }: ComponentFunction,
): ToolSettings {
  const name = `${settings.name}_${of}`;
  if (!TOOL_NAME.test(name)) {
    throw new Fault('config/invalid', `The tool "${name.slice(0, 200)}" has no valid name.`, {
      hint: 'Names of tools have letters, digits, "_" and "-", at most 64; give the entry a shorter name.',
    });
  }
  const { overrides = {} } = settings.source;
  const override = Object.hasOwn(overrides, of) ? overrides[of] : undefined;
  return {
    ...settings,
    name,
    description: override?.description ?? description ?? settings.description ?? `Calls ${of}.`,
    parameters: types.parameters,
    isEnabled: override?.enable ?? settings.isEnabled,
    run: override?.run ?? settings.run,
    source: { ...settings.source, ownFunction: { name: of, ...(types.output && { output: types.output }) } },
  };
}

/** Breaks a function of a component whose name another tool has. */
function unique(settings: readonly ToolSettings[]): readonly ToolSettings[] {
  const counts = new Map<string, number>();
  for (const { name } of settings) counts.set(name, (counts.get(name) ?? 0) + 1);
  return settings.map((each) => {
    const isFunction = each.source.kind === 'wasm' && each.source.ownFunction !== undefined;
    return isFunction && (counts.get(each.name) ?? 0) > 1 ? asBroken(each, takenName(each.name)) : each;
  });
}

function invalid(name: string, what: string, functions: readonly ComponentFunction[]): Fault {
  return new Fault('config/invalid', `conversation.tools.${name}.functions: the component ${what}.`, {
    hint: `It has: ${functions.map((each) => each.name).join(', ')}.`,
  });
}
