import { Fault } from '../../base/fault.ts';
import { canonicalHost, type Host } from './host.ts';

/** A URL whose spelling passed every rule. The HostGuard judges where its host leads. */
export interface WebAddress {
  /** The requested URL: canonical, without credentials and fragment. */
  readonly href: string;
  readonly origin: string;
  readonly isSecure: boolean;
  readonly host: Host;
  readonly port: number;
  /** Path and query. */
  readonly target: string;
}

/** A relative `text` (of a redirect) is resolved against `base`. */
export function parseWebAddress(text: string, base?: WebAddress): WebAddress {
  const url = parseUrl(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Fault('net/refused', `${url.protocol} addresses are not fetched; only http: and https: are.`);
  }
  const host = canonicalHost(url.hostname);
  if (!host) throw invalid(url.host, 'its host is not a valid name');
  if (url.username !== '' || url.password !== '') {
    throw new Fault('net/refused', `The address of ${host.text} contains a user name or password.`, {
      hint: 'Leave out the part before the @; ken does not send credentials from an address.',
    });
  }
  url.hostname = host.text.includes(':') ? `[${host.text}]` : host.text;
  url.hash = '';
  const isSecure = url.protocol === 'https:';
  return {
    href: url.href,
    origin: url.origin,
    isSecure,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    target: url.pathname + url.search,
  };
}

const MAX_LENGTH = 8192;

function parseUrl(text: string, base: WebAddress | undefined): URL {
  if (text.length > MAX_LENGTH) throw invalid(text, `it is longer than ${MAX_LENGTH} characters`);
  // The URL standard drops tabs and line ends silently; what a person approved would not be what is fetched.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) throw invalid(text, 'it contains control characters');
  const url = URL.parse(text, base?.href);
  if (!url) throw invalid(text, 'it cannot be read as one');
  return url;
}

function invalid(text: string, reason: string): Fault {
  const shown = JSON.stringify(withoutCredentials(text).slice(0, 300));
  return new Fault('net/invalid-url', `${shown} is not a web address: ${reason}.`);
}

/** Takes one pass: an address of a megabyte comes from a tool, too. */
function withoutCredentials(text: string): string {
  const scheme = /^(?:[^/?#\\@]*:)?[/\\]+/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const end = rest.search(/[/?#\\]/);
  return scheme + rest.slice(rest.lastIndexOf('@', end === -1 ? undefined : end) + 1);
}
