/** `net.allow`: the hosts that the operator trusts although they are not on the public internet. */

import { Fault } from '../../base/fault.ts';
import { type Host, parseHost } from './host.ts';

export interface AllowList {
  lists(host: Host, port: number): Listing | undefined;
}

/** `host`: at every port that the web uses. `host-and-port`: at this port only, even one that is blocked otherwise. */
export type Listing = 'host' | 'host-and-port';

/**
 * An entry is a host as it stands in the URL, never what it resolves to:
 * `wiki.corp` or `10.1.2.3` or `[fd00::1]` at every port, `wiki.corp:8080` at that one,
 * `*.corp` for every name below `corp` (and not `corp` itself), `*.corp:8080` likewise.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const rules = entries.map(parseEntry);
  return {
    lists(host, port) {
      const fitting = rules.filter((rule) => rule.fits(host));
      if (fitting.some((rule) => rule.port === port)) return 'host-and-port';
      return fitting.some((rule) => rule.port === undefined) ? 'host' : undefined;
    },
  };
}

interface Rule {
  readonly port: number | undefined;
  fits(host: Host): boolean;
}

function parseEntry(entry: string): Rule {
  const [, wildcard, name = '', digits] = /^(\*\.)?(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const listed = readHost(name, entry);
  if ((wildcard && listed.address) || port === 0 || (port ?? 0) > 65535) throw notAnEntry(entry);
  const suffix = `.${listed.text}`;
  return {
    port,
    fits: (host) =>
      wildcard ? host.address === undefined && host.text.endsWith(suffix) : host.text === listed.text,
  };
}

function readHost(name: string, entry: string): Host {
  try {
    return parseHost(name);
  } catch (cause) {
    if (cause instanceof Fault) throw notAnEntry(entry, cause);
    throw cause;
  }
}

function notAnEntry(entry: string, cause?: Fault): Fault {
  return new Fault('config/invalid', `net.allow: ${JSON.stringify(entry)} is not a host.`, {
    hint: 'Write "host", "host:port", "[IPv6]:port" or "*.suffix".',
    cause,
  });
}
