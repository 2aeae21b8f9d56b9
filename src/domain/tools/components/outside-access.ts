/** The network and the secrets that a Wasm tool may use; none unless its entry declares some. */

import { Fault } from '../../../base/fault.ts';
import { asText, isJsonList, isJsonObject, type Json, memberOf } from '../../../base/json.ts';
import { parseAllowList } from '../../web/allow-list.ts';
import { secretSource } from './secrets.ts';

export interface OutsideEntry {
  /** Hosts, each as `host:port`. */
  readonly net?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, { readonly from?: string | undefined }>> | undefined;
}

export interface OutsideGrants {
  readonly net: readonly string[];
  readonly secrets: readonly SecretGrant[];
}

export interface SecretGrant {
  /** The variable that the tool sees. */
  readonly name: string;
  /** Where its value is kept: `env:NAME` or `keyring:NAME`. */
  readonly from: string;
}

/** `key` is the entry's key, for errors. */
export function outsideGrants(key: string, { net = [], env = {} }: OutsideEntry): OutsideGrants {
  for (const host of net) requireHostAndPort(`${key}.net`, host);
  const secrets = Object.entries(env).map(([name, { from }]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new Fault(
        'config/invalid',
        `${key}.env has a name that no variable has: ${JSON.stringify(name)}.`,
      );
    }
    secretSource(`${key}.env.${name}`, from ?? '');
    return { name, from: from ?? '' };
  });
  return { net, secrets };
}

function requireHostAndPort(key: string, entry: string): void {
  parseAllowList([entry], key);
  if (/:\d+$/.test(entry)) return;
  throw new Fault('config/invalid', `${key} has a host without a port: ${JSON.stringify(entry)}.`, {
    hint: `Write ${JSON.stringify(`${entry}:443`)}.`,
  });
}

/** Undefined when there is nothing to say. */
export function outsideInWords({ net, secrets }: OutsideGrants): string | undefined {
  const words = [
    ...(net.length > 0 ? [`It may send anything it knows to ${net.join(', ')}.`] : []),
    ...(secrets.length > 0
      ? [`It gets the secrets ${secrets.map(({ name, from }) => `${name} (${from})`).join(', ')}.`]
      : []),
  ];
  return words.length > 0 ? words.join(' ') : undefined;
}

/** An entry of the configuration in words, before anybody trusts it. */
export function outsideEntryInWords(entry: Json): string | undefined {
  const [net, env] = [memberOf(entry, 'net'), memberOf(entry, 'env')];
  const given = isJsonObject(env) ? Object.entries(env) : [];
  try {
    return outsideInWords(
      outsideGrants('this tool', {
        net: isJsonList(net) ? net.map(String) : [],
        env: Object.fromEntries(
          given.map(([name, value]) => [name, { from: asText(memberOf(value, 'from')) }]),
        ),
      }),
    );
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
