import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { removeFromToml, setInToml } from '../../../config/toml/edit-toml.ts';
import { parseToml } from '../../../config/toml/parse-toml.ts';
import { valueAt } from '../../../config/tree.ts';
import type { Client, ClientPlace } from './clients.ts';
import { removeInJsonc, setInJsonc, valueInJsonc } from './edit-jsonc.ts';
import { parseYaml, removeInYaml, setInYaml } from './edit-yaml.ts';

type Target = Pick<Client, 'format' | 'servers'> & Pick<ClientPlace, 'name' | 'server'>;

/** Keeps other members of an existing entry (its environment, for example). */
export function withKen(target: Target, text: string | undefined): string {
  const { format, servers, name } = target;
  const server = { ...serverIn(target, text ?? ''), ...target.server };
  if (format === 'jsonc') return setInJsonc(text, [servers, name], server);
  if (format === 'yaml') {
    const isThere = JSON.stringify(serverIn(target, text ?? '')) === JSON.stringify(server);
    return text !== undefined && isThere ? text : setInYaml(text, { group: servers, name }, server);
  }
  return Object.entries(server).reduce(
    (edited, [key, value]) =>
      sameIn(edited, [servers, name, key], value) ? edited : setInToml(edited, [servers, name, key], value),
    text ?? '',
  );
}

/** Undefined if nothing else is left. `kept` is the text before the last change; with ken in it if that removed ken. */
export function withoutKen(target: Target, text: string, kept: string | undefined): string | undefined {
  if (kept !== undefined && kept !== text && withKen(target, kept) === text) return kept;
  if (withKen(target, undefined) === text) return undefined;
  const { format, servers, name } = target;
  if (format === 'yaml') return removeInYaml(text, { group: servers, name });
  return format === 'jsonc' ? removeInJsonc(text, [servers, name]) : removeFromToml(text, [servers, name]);
}

/** Makes the name unique if another workspace has the usual one. */
export function withUniqueName<Named extends Target>(
  target: Named,
  text: string,
  { root, digest }: { readonly root: string; readonly digest: string },
): Named {
  const apart = { ...target, name: `${target.name}-${digest}` };
  if (serverIn(apart, text)) return apart;
  const workspace = workspaceOf(serverIn(target, text));
  return workspace === undefined || workspace === root || workspaceOf(target.server) !== root
    ? target
    : apart;
}

function workspaceOf(server: JsonObject | undefined): Json | undefined {
  const args = server?.args ?? server?.command;
  const at = isJsonList(args) ? args.indexOf('--workspace') : -1;
  return at === -1 || !isJsonList(args) ? undefined : args[at + 1];
}

/** The entry of that name; a Fault for a file that cannot be read. */
export function serverIn(
  { format, servers, name }: Omit<Target, 'server'>,
  text: string,
): JsonObject | undefined {
  if (text.trim() === '') return undefined;
  if (format === 'jsonc') return objectIn(valueInJsonc(text, [servers, name]));
  const root = format === 'yaml' ? parseYaml(text) : parseToml(text);
  return objectIn(valueAt(root, [servers, name]));
}

function objectIn(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function sameIn(text: string, path: readonly string[], value: unknown): boolean {
  return JSON.stringify(valueAt(parseToml(text), path)) === JSON.stringify(value);
}
