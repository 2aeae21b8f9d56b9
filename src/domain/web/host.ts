import { Fault } from '../../base/fault.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';

export interface Host {
  /** A lower-case ASCII name without a final dot, or an IP address without brackets. */
  readonly text: string;
  /** Set when there is nothing to resolve. */
  readonly address: IpAddress | undefined;
}

/**
 * Turns every spelling that a browser understands (octal, hexadecimal and short IPv4, full-width digits,
 * international names) into the canonical one, which is judged and connected to.
 */
export function parseHost(text: string): Host {
  const bracketed = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const canonical = WRITTEN_HOST.test(bracketed) ? URL.parse(`http://${bracketed}/`)?.hostname : undefined;
  const host = canonical === undefined ? undefined : canonicalHost(canonical);
  if (!host) throw new Fault('net/invalid-url', `${JSON.stringify(text.slice(0, 300))} is not a host name.`);
  return host;
}

/** Takes the host from the URL parser; undefined for names that it accepts but no name server can know. */
export function canonicalHost(hostname: string): Host | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const address = parseIpAddress(text);
  if (address) return { text, address };
  const isName = text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
  return isName ? { text, address: undefined } : undefined;
}

/** Excludes delimiters of a URL and percent signs, which would end the host or hide what it is. */
const WRITTEN_HOST = /^(\[[0-9a-f:.]+\]|[^\s/\\?#@%:[\]]+)$/i;

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
