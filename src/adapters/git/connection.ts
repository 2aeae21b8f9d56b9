/** Settings that make git connect only to the addresses that the host guard has checked. */

import { isIP } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../base/fault.ts';
import {
  type GitAddress,
  parseGitAddress,
  type RemoteAddress,
} from '../../domain/references/sources/git-address.ts';
import type { GitSource } from '../../domain/references/sources/git-reader.ts';
import { allowHint, type HostGuard, type PinnedHost } from '../../domain/web/host-guard.ts';

export interface Connection {
  readonly protocol: GitAddress['kind'];
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** `owner/repo` of a repository on GitHub. */
  readonly githubRepository?: string;
}

export interface ConnectionContext {
  readonly hosts: HostGuard;
  readonly directory: string;
  readonly home: string;
}

export async function connectTo(
  { hosts, directory, home }: ConnectionContext,
  { url, isTyped = false }: GitSource,
  signal: AbortSignal,
): Promise<Connection> {
  const address = parseGitAddress(url, { isTyped });
  if (address.kind === 'file') {
    const written = address.path.replace(/^~(?=\/)/, home);
    const local = pathToFileURL(path.resolve(directory, written)).href;
    return { protocol: 'file', url: local, settings: {}, environment: {} };
  }
  const pinned = await hosts.pin({ host: address.host.text, port: address.port }, signal);
  if (address.kind === 'http' && !pinned.listed) throw unencrypted(address);
  return { protocol: address.kind, ...githubOf(address), ...pinnedTo(address, pinned) };
}

function unencrypted({ host, port }: RemoteAddress): Fault {
  return new Fault(
    'git/refused',
    `${host.text} would be read by http:, which does not prove who answers; use https:.`,
    { hint: allowHint(host.text, port === 80 ? undefined : port) },
  );
}

type Pinned = Pick<Connection, 'url' | 'settings' | 'environment'>;

function pinnedTo(address: RemoteAddress, pinned: PinnedHost): Pinned {
  if (address.kind === 'ssh') return pinnedSsh(address, pinned);
  if (address.kind === 'git') return pinnedDaemon(address, pinned);
  const addresses = pinned.addresses.map(bracketed).join(',');
  const resolve = isIP(pinned.host)
    ? {}
    : { 'http.curloptResolve': `${pinned.host}:${pinned.port}:${addresses}` };
  return { url: address.url, settings: resolve, environment: {} };
}

/** Connects to the checked address, and verifies the host key under the name. */
function pinnedSsh(address: RemoteAddress, { host, port, addresses: [first = ''] }: PinnedHost): Pinned {
  const options = {
    BatchMode: 'yes',
    HostName: first,
    HostKeyAlias: port === 22 ? host : `[${host}]:${port}`,
    ProxyCommand: 'none',
    ProxyJump: 'none',
    PermitLocalCommand: 'no',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    ConnectTimeout: '30',
  };
  const flags = Object.entries(options).map(([name, value]) => `-o '${name}=${value}'`);
  return {
    url: address.url,
    settings: {},
    environment: { GIT_SSH_COMMAND: ['ssh', ...flags].join(' '), GIT_SSH_VARIANT: 'ssh' },
  };
}

function pinnedDaemon(address: RemoteAddress, { host, port, addresses: [first = ''] }: PinnedHost): Pinned {
  const virtualHost = port === 9418 ? host : `${bracketed(host)}:${port}`;
  return {
    url: `git://${bracketed(first)}:${port}/${address.path}`,
    settings: {},
    environment: { GIT_OVERRIDE_VIRTUAL_HOST: virtualHost },
  };
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function githubOf({
  kind,
  host,
  port,
  path: repository,
}: RemoteAddress): Pick<Connection, 'githubRepository'> {
  const name = repository.replace(/\.git$/, '');
  const isGithub = kind === 'https' && port === 443 && host.text === 'github.com';
  return isGithub && /^[\w.-]+\/[\w.-]+$/.test(name) ? { githubRepository: name } : {};
}
