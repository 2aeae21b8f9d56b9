import { Fault } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { FileAccessEntry } from './components/file-access.ts';
import type { OutsideEntry } from './components/outside-access.ts';
import { type ParameterDefinition, parametersSchema } from './parameters.ts';
import type { RunPolicy } from './tool.ts';

export interface ToolEntry extends FileAccessEntry, OutsideEntry {
  readonly source?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters?: Readonly<Record<string, ParameterEntry>> | undefined;
  readonly enable?: boolean | undefined;
  readonly run?: RunPolicy | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** Bytes. */
  readonly result_limit?: number | undefined;
  readonly questions?: Readonly<Record<string, QuestionEntry>> | undefined;
  readonly command?: string | CommandEntry | undefined;
  readonly wasm?: string | undefined;
  readonly functions?: Readonly<Record<string, FunctionEntry>> | undefined;
}

/** Settings of one function of a component, in place of the entry's own. */
export interface FunctionEntry {
  readonly enable?: boolean | undefined;
  readonly run?: RunPolicy | undefined;
  readonly description?: string | undefined;
}

type ParameterEntry = {
  readonly [Key in keyof ParameterDefinition]?: ParameterDefinition[Key] | undefined;
};

export interface QuestionEntry {
  readonly answer?: Json | undefined;
  readonly target?: 'user' | 'assistant' | undefined;
}

export interface CommandEntry {
  readonly program: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

export interface ToolSettings {
  readonly name: string;
  readonly source: ToolOrigin;
  readonly description: string | undefined;
  /** Undefined when none are configured. */
  readonly parameters: JsonObject | undefined;
  readonly isEnabled: boolean;
  /** Undefined for a builtin that is left as it is. */
  readonly run: RunPolicy | undefined;
  readonly timeoutMs: number | undefined;
  readonly resultLimitBytes: number | undefined;
  readonly questions: Readonly<Record<string, QuestionEntry>>;
}

export type ToolOrigin =
  /** `tool` is its name at the source. */
  | { readonly kind: 'builtin'; readonly tool: string }
  | { readonly kind: 'command'; readonly tool: string; readonly command: string | CommandEntry }
  | {
      readonly kind: 'wasm';
      readonly tool: string;
      readonly wasm: WasmOrigin;
      /** By the name of a function of the component's own world. */
      readonly overrides?: Readonly<Record<string, FunctionEntry>>;
      /** The function of the component's own world that is this tool. */
      readonly ownFunction?: { readonly name: string; readonly output?: JsonObject };
    }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** An entry with a mistake, which takes this one tool away. */
  | { readonly kind: 'broken'; readonly tool: string; readonly fault: Fault };

export type ServerToolSettings = ToolSettings & { readonly source: Extract<ToolOrigin, { kind: 'mcp' }> };

export function isOfServer(settings: ToolSettings): settings is ServerToolSettings {
  return settings.source.kind === 'mcp';
}

export interface WasmOrigin extends FileAccessEntry, OutsideEntry {
  /** Relative to the workspace. */
  readonly file: string;
}

const DEFAULTS = '*';

/** In the order of the configuration. An invalid definition makes its own entry broken, and no other. */
export function toolSettings(entries: Readonly<Record<string, ToolEntry>>): ToolSettings[] {
  const { [DEFAULTS]: defaults = {}, ...tools } = entries;
  const wrong = orFault(() => requireDefaults(defaults));
  const settings = Object.entries(tools).map(([name, entry]) => {
    const made = orFault(() => settingsOf(name, entry, wrong ? {} : defaults));
    if (made instanceof Fault) return brokenSettings(name, entry, made);
    // Wrong defaults may have been meant to forbid what the entry alone permits.
    return wrong && made.source.kind !== 'builtin' ? asBroken(made, wrong) : made;
  });
  return wrong ? [brokenSettings(DEFAULTS, {}, wrong), ...settings] : settings;
}

export function orFault<Result>(work: () => Result): Result | Fault {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Names the builtin that the entry was meant to configure, so that it is not offered as if nobody had. */
function brokenSettings(name: string, entry: ToolEntry, fault: Fault): ToolSettings {
  const tool = /^builtin\.(.+)$/.exec(entry.source ?? '')?.[1] ?? name;
  return {
    ...{ name, description: entry.description, run: entry.run, isEnabled: entry.enable ?? true },
    ...{ parameters: undefined, timeoutMs: undefined, resultLimitBytes: undefined, questions: {} },
    source: { kind: 'broken', tool, fault },
  };
}

/** The same settings, which cannot be used. */
export function asBroken(settings: ToolSettings, fault: Fault): ToolSettings {
  return { ...settings, source: { kind: 'broken', tool: settings.source.tool, fault } };
}

/** Refuses defaults for keys that define a single tool. */
function requireDefaults(defaults: ToolEntry): undefined {
  for (const key of ['source', 'command', 'wasm', 'parameters', 'net', 'env', 'functions'] as const) {
    if (Object.keys(defaults[key] ?? {}).length === 0) continue;
    throw invalid(`'*'`, `cannot have "${key}"`, 'It holds defaults for tools; say it of each tool.');
  }
}

function settingsOf(name: string, entry: ToolEntry, defaults: ToolEntry): ToolSettings {
  const source = originOf(name, entry, defaults);
  const isBuiltin = source.kind === 'builtin';
  const given = isBuiltin ? entry : { ...defaults, ...withoutAbsent(entry) };
  const key = `conversation.tools.${name}`;
  return {
    name,
    source,
    description: given.description,
    parameters: schemaOf(`${key}.parameters`, given.parameters ?? {}),
    isEnabled: given.enable ?? true,
    run: given.run ?? (isBuiltin ? undefined : 'ask'),
    timeoutMs: given.timeout === undefined ? undefined : given.timeout * 1000,
    resultLimitBytes: given.result_limit,
    questions: { ...defaults.questions, ...entry.questions },
  };
}

function originOf(name: string, entry: ToolEntry, defaults: ToolEntry): ToolOrigin {
  const { kind, rest } = readSource(name, entry);
  if (kind === 'builtin') return { kind, tool: rest ?? name };
  if (kind === 'mcp') return mcpOrigin(name, rest);
  const tool = rest ?? name;
  if (entry.wasm !== undefined) {
    const access = entry.access ?? defaults.access;
    const paths = [entry.paths, defaults.paths].find((each) => each && each.length > 0) ?? [];
    const wasm = { file: entry.wasm, access, paths, net: entry.net, env: entry.env };
    return { kind: 'wasm', tool, wasm, ...(entry.functions && { overrides: entry.functions }) };
  }
  if (entry.command !== undefined) return { kind: 'command', tool, command: entry.command };
  throw invalid(name, 'has neither "command" nor "wasm"', 'A local tool needs one of them.');
}

/** Defaults to `local` for an entry with a command or a component, and to `builtin` for others. */
function readSource(name: string, entry: ToolEntry): { kind: string; rest: string | undefined } {
  const isLocal = entry.command !== undefined || entry.wasm !== undefined;
  const source = entry.source ?? (isLocal ? 'local' : 'builtin');
  const [, kind = '', rest] = /^(builtin|local|mcp)(?:\.(.+))?$/.exec(source) ?? [];
  if (kind) return { kind, rest };
  throw invalid(
    name,
    `has the unknown source "${source}"`,
    'Sources are builtin, local and mcp.SERVER.TOOL.',
  );
}

function mcpOrigin(name: string, rest: string | undefined): ToolOrigin {
  const [, server, tool] = /^([^.]+)(?:\.(.+))?$/.exec(rest ?? '') ?? [];
  if (server) return { kind: 'mcp', server, tool: tool ?? name };
  throw invalid(name, 'does not say which server it is of', 'Write source = "mcp.SERVER.TOOL".');
}

function schemaOf(key: string, entries: Readonly<Record<string, ParameterEntry>>): JsonObject | undefined {
  if (Object.keys(entries).length === 0) return undefined;
  return parametersSchema(key, definitions(entries));
}

function definitions(
  entries: Readonly<Record<string, ParameterEntry>>,
): Readonly<Record<string, ParameterDefinition>> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      const { enum: options, ...rest } = withoutAbsent(entry);
      return [name, options && options.length > 0 ? { ...rest, enum: options } : rest];
    }),
  );
}

function withoutAbsent<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}

function invalid(name: string, what: string, hint: string): Fault {
  return new Fault('config/invalid', `conversation.tools.${name} ${what}.`, { hint });
}
