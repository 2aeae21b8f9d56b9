/** Decides where ken may connect to, for the web client and the git reader. */

import { Fault } from '../../base/fault.ts';
import { type AddressKind, addressKind } from './address-kind.ts';
import type { AllowList, Listing } from './allow-list.ts';
import { type Host, parseHost } from './host.ts';
import { parseIpAddress } from './ip-address.ts';

export interface HostGuard {
  /**
   * Resolves a host once; callers must connect to the returned addresses only. A Fault when the host, its port or any
   * of its addresses is refused, or the name is unknown.
   */
  pin(target: HostTarget, signal: AbortSignal): Promise<PinnedHost>;
}

export interface HostTarget {
  /** Any spelling, IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface PinnedHost {
  /** Canonical: safe in a command line or a header, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** In the resolver's order of preference; at least one. */
  readonly addresses: readonly string[];
  /** How `net.allow` lists it. */
  readonly listed: Listing | undefined;
}

export interface NameResolver {
  /** All addresses of a name, IPv4 and IPv6. A Fault when there is none. */
  resolve(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

export function hostGuard(ports: { readonly names: NameResolver }, allow: AllowList): HostGuard {
  return {
    async pin(target, signal) {
      const host = parseHost(target.host);
      const listed = allow.lists(host, target.port);
      if (isLocalName(host) && !listed) throw refused(host, 'loopback');
      const addresses = host.address ? [host.text] : await ports.names.resolve(host.text, signal);
      if (addresses.length === 0) throw new Fault('net/dns', `${host.text} has no address.`);
      for (const address of addresses) checkAddress(host, address, listed);
      return { host: host.text, port: target.port, addresses, listed };
    },
  };
}

/** Names that always mean this machine (RFC 6761), without asking a name server. */
function isLocalName({ text }: Host): boolean {
  return text === 'localhost' || text.endsWith('.localhost');
}

function checkAddress(host: Host, text: string, listed: Listing | undefined): void {
  const address = parseIpAddress(text);
  const kind = address ? addressKind(address) : 'reserved';
  if (!kind) return;
  if (listed && (host.address || !NEVER_BY_NAME.has(kind))) return;
  throw refused(host, kind, host.address ? undefined : text);
}

/** A listed name reaches none of these, in case its name server is hostile; a listed address does. */
const NEVER_BY_NAME: ReadonlySet<AddressKind> = new Set([
  'broadcast',
  'cloud metadata',
  'multicast',
  'reserved',
  'unspecified',
]);

function refused(host: Host, kind: AddressKind, resolved?: string): Fault {
  const where = resolved === undefined ? `${host.text} is` : `${host.text} resolves to ${resolved},`;
  const canBeListed = resolved === undefined || !NEVER_BY_NAME.has(kind);
  return new Fault('net/refused', `${where} ${aOrAn(kind)} ${kind} address; ken does not connect to those.`, {
    hint: canBeListed ? allowHint(host.text) : undefined,
  });
}

export function allowHint(host: string, port?: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  const entry = port === undefined ? name : `${name}:${port}`;
  return `If you trust it, add ${JSON.stringify(entry)} to net.allow with "ken config set --user --append net.allow".`;
}

function aOrAn(word: string): string {
  return /^[aeiou]/.test(word) && !word.startsWith('uni') ? 'an' : 'a';
}
