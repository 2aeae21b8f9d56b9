/** `net.allow`: hosts outside of the public internet that the operator trusts. */

import { Fault } from '../../base/fault.ts';
import { type Host, parseHost } from './host.ts';

export interface AllowList {
  lists(host: Host, port: number): Listing | undefined;
}

/** `host`: at every port that the web uses. `host-and-port`: at this port only, even one that is otherwise blocked. */
export type Listing = 'host' | 'host-and-port';

/**
 * Entries are hosts as written in the URL, not what they resolve to: `wiki.corp`, `10.1.2.3` or `[fd00::1]` at every
 * port, `wiki.corp:8080` at that one, `*.corp` for every name below `corp` but not `corp` itself. `key` is the key that
 * has them, for errors.
 */
export function parseAllowList(entries: readonly string[], key = 'net.allow'): AllowList {
  const rules = entries.map((entry) => parseEntry(entry, key));
  return {
    lists(host, port) {
      const fitting = rules.filter((rule) => rule.fits(host));
      if (fitting.some((rule) => rule.port === port)) return 'host-and-port';
      return fitting.some((rule) => rule.port === undefined) ? 'host' : undefined;
    },
  };
}

function parseEntry(entry: string, key: string) {
  const [, wildcard, name = '', digits] = /^(\*\.)?(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const listed = readHost(name, entry, key);
  if ((wildcard && listed.address) || port === 0 || (port ?? 0) > 65535) throw notAnEntry(entry, key);
  const suffix = `.${listed.text}`;
  return {
    port,
    fits: (host: Host) =>
      wildcard ? host.address === undefined && host.text.endsWith(suffix) : host.text === listed.text,
  };
}

function readHost(name: string, entry: string, key: string): Host {
  try {
    return parseHost(name);
  } catch (cause) {
    if (cause instanceof Fault) throw notAnEntry(entry, key, cause);
    throw cause;
  }
}

function notAnEntry(entry: string, key: string, cause?: Fault): Fault {
  return new Fault('config/invalid', `${key}: ${JSON.stringify(entry)} is not a host.`, {
    hint: 'Write "host", "host:port", "[IPv6]:port" or "*.suffix".',
    cause,
  });
}
