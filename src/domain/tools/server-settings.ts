import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';

export interface ServerEntry {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly optional: boolean;
  readonly startup_timeout_s: number;
}

export interface ServerSettings {
  readonly name: string;
  readonly place: ServerPlace;
  /** A query continues without it if it does not start. */
  readonly isOptional: boolean;
  readonly startupMs: number;
}

export type ServerPlace =
  | {
      readonly kind: 'process';
      readonly command: readonly [string, ...string[]];
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

type Environment = Readonly<Record<string, string | undefined>>;

/** Fills references such as `${TOKEN}` from `environment`. A Fault for an unknown server or invalid settings. */
export function serverNamed(
  entries: Readonly<Record<string, ServerEntry>>,
  name: string,
  environment: Environment,
  leftOut: readonly SettingPath[] = [],
): ServerSettings {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (!entry) throw unknownServer(name, Object.keys(entries), leftOut);
  return {
    name,
    place: placeOf(name, entry, environment),
    isOptional: entry.optional,
    startupMs: entry.startup_timeout_s * 1000,
  };
}

/** `leftOut` are settings of the workspace that do not count, since it is not trusted. */
export function unknownServer(
  name: string,
  known: readonly string[],
  leftOut: readonly SettingPath[],
): Fault {
  const own = ['providers', 'mcp', name];
  const isLeftOut = leftOut.some((path) => own.every((key, at) => (path[at] ?? key) === key));
  if (isLeftOut)
    return new Fault('tools/unknown-server', `The server "${name}" of this workspace is left out.`, {
      hint: 'The workspace is not trusted: see "ken trust --show".',
    });
  return new Fault('tools/unknown-server', `There is no server "${name}" in providers.mcp.`, {
    hint: didYouMean(name, known) ?? `Define it as providers.mcp.${name}, with a command or a url.`,
  });
}

type SettingPath = readonly string[];

function placeOf(name: string, entry: ServerEntry, environment: Environment): ServerPlace {
  const { command, args = [], url } = entry;
  const filled = (part: 'env' | 'headers') =>
    Object.fromEntries(
      Object.entries(entry[part] ?? {}).map(([key, text]) => [
        key,
        fillReferences(`providers.mcp.${name}.${part}.${key}`, text, environment),
      ]),
    );
  if (command !== undefined && url === undefined)
    return { kind: 'process', command: [command, ...args], environment: filled('env') };
  if (url !== undefined && command === undefined) return { kind: 'http', url, headers: filled('headers') };
  const problem = command === undefined ? 'has neither "command" nor "url"' : 'has both "command" and "url"';
  throw new Fault('config/invalid', `providers.mcp.${name} ${problem}.`, {
    hint: 'A server is a program that is started, or an address: name one.',
  });
}

/** `$${` stands for `${` itself. */
function fillReferences(key: string, text: string, environment: Environment): string {
  return text.replace(/\$?\$\{([^}]*)\}/g, (whole, variable: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    const value = environment[variable];
    if (value !== undefined) return value;
    throw new Fault(
      'config/invalid',
      `${key} names the environment variable ${variable}, which is not set.`,
      {
        hint: `Set ${variable}, or write $\${ where no variable is meant.`,
      },
    );
  });
}
