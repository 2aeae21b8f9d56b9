import { Fault } from '../../../base/fault.ts';
import { canonicalHost, type Host } from '../../web/host.ts';
import { parseVersionRef } from './version-ref.ts';

export type GitAddress = RemoteAddress | LocalAddress;

export interface RemoteAddress {
  readonly kind: 'https' | 'http' | 'ssh' | 'git';
  readonly host: Host;
  readonly port: number;
  /** The address in the one spelling that git receives; neither git nor a shell can read an option in it. */
  readonly url: string;
  /** The path after the host, without surrounding slashes: `owner/repo.git`. */
  readonly path: string;
}

export interface LocalAddress {
  readonly kind: 'file';
  readonly path: string;
}

const PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;
const MAX_LENGTH = 2048;

export function parseGitAddress(text: string, { isTyped = false }: { isTyped?: boolean } = {}): GitAddress {
  refuseTricks(text);
  const address = localAddress(text) ?? parseUrl(text) ?? parseShorthand(text);
  if (!address) {
    throw invalid(text, 'it is none that git can read from');
  }
  if (address.kind === 'file' && !isTyped) {
    throw new Fault(
      'git/refused',
      `${shown(text)} is on this machine; only a person can give it, on the command line.`,
    );
  }
  return address;
}

/** Throws a Fault unless the text can be a branch, a tag or a commit id. */
export function checkRef(ref: string): void {
  if (parseVersionRef(ref)) return;
  const isName =
    ref.length <= 255 &&
    /^[\p{L}\p{N}_@+=%,#&()!$'"<>./-]+$/u.test(ref) &&
    !/^[-/.]|\.\.|\/[/.]|\/$|\.$|\.lock(\/|$)|@\{|^@$/.test(ref);
  if (isName) return;
  throw new Fault('git/refused', `${shown(ref)} cannot be the name of a branch, tag or commit.`);
}

export function isCommitId(ref: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

function refuseTricks(text: string): void {
  if (text.length > MAX_LENGTH) throw invalid(text, `it is longer than ${MAX_LENGTH} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) throw invalid(text, 'it contains control characters');
  if (text.trim() === '') throw invalid(text, 'it is empty');
  if (text.startsWith('-'))
    throw new Fault('git/refused', `${shown(text)} starts with a dash, as an option of git would.`);
  const [, helper] = /^([A-Za-z0-9+.-]+)::/.exec(text) ?? [];
  if (helper !== undefined) {
    throw new Fault(
      'git/refused',
      `${shown(text)} would start the program git-remote-${helper.toLowerCase()}.`,
    );
  }
}

function localAddress(text: string): LocalAddress | undefined {
  const [, path] = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text) ?? [];
  if (path !== undefined) return { kind: 'file', path: decoded(path) };
  return /^(\/|\.{1,2}(\/|$)|~\/)/.test(text) ? { kind: 'file', path: text } : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function parseUrl(text: string): RemoteAddress | undefined {
  const url = URL.parse(text);
  if (!url || !text.includes('://')) return undefined;
  const kind = url.protocol.slice(0, -1);
  if (kind !== 'https' && kind !== 'http' && kind !== 'ssh' && kind !== 'git') {
    throw new Fault('git/refused', `${url.protocol} addresses are not read; https:, ssh: and git: are.`);
  }
  if (url.search !== '' || url.hash !== '') throw invalid(text, 'it has a query or a fragment');
  const host = hostOf(url.hostname, text);
  const user = userOf(url, kind);
  const port = url.port === '' ? PORTS[kind] : Number(url.port);
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  checkPath(path, text);
  const where = port === PORTS[kind] ? bracketed(host) : `${bracketed(host)}:${port}`;
  return { kind, host, port, url: `${kind}://${user}${where}/${path}`, path };
}

/** A user name is part of an ssh address; in any other it is a credential. */
function userOf({ username, password }: URL, kind: RemoteAddress['kind']): string {
  if (password !== '' || (username !== '' && kind !== 'ssh')) {
    throw new Fault('git/refused', 'The address contains a user name or password.', {
      hint: 'Leave out the part before the @; ken does not send credentials from an address.',
    });
  }
  if (username === '') return '';
  if (!USER.test(username)) throw new Fault('git/refused', `${shown(username)} is not a user name.`);
  return `${username}@`;
}

const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** `git@host:owner/repo`, the short form of ssh addresses. */
function parseShorthand(text: string): RemoteAddress | undefined {
  const [, user, hostname = '', path = ''] = /^([^@:/\\]+)@([^@:/\\]+):(.+)$/.exec(text) ?? [];
  if (user === undefined) return undefined;
  if (!USER.test(user)) throw new Fault('git/refused', `${shown(user)} is not a user name.`);
  const host = hostOf(hostname.toLowerCase(), text);
  checkPath(path, text);
  return { kind: 'ssh', host, port: PORTS.ssh, url: `${user}@${bracketed(host)}:${path}`, path };
}

function hostOf(hostname: string, text: string): Host {
  // Schemes the URL standard does not know keep their host as it is written, percent signs included.
  const host = canonicalHost(URL.parse(`http://${hostname}/`)?.hostname ?? '');
  if (!host || hostname.includes('%')) throw invalid(text, 'its host is not a valid name');
  return host;
}

function checkPath(path: string, text: string): void {
  if (path.trim() === '') throw invalid(text, 'it names no repository');
  if (path !== path.trim() || path.startsWith('-') || path.split('/').includes('..'))
    throw invalid(text, 'its path is none of a repository');
}

function bracketed({ text }: Host): string {
  return text.includes(':') ? `[${text}]` : text;
}

function invalid(text: string, reason: string): Fault {
  return new Fault('git/invalid-address', `${shown(text)} is not the address of a repository: ${reason}.`, {
    hint: 'Write it as https://host/owner/repo or git@host:owner/repo.',
  });
}

function shown(text: string): string {
  return JSON.stringify(text.replace(/:\/\/[^/@]*@/, '://').slice(0, 200));
}
