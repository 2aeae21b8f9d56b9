import net from 'node:net';
import tls from 'node:tls';
import { Fault } from '../../base/fault.ts';
import type { PinnedHost } from '../../domain/web/host-guard.ts';
import { isSameIpAddress, parseIpAddress } from '../../domain/web/ip-address.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';
import { connectionFault, tlsFault } from './net-faults.ts';

/** Opens a TCP connection to one of the pinned addresses, and to no other. */
export type Connect = (pinned: PinnedHost, signal: AbortSignal) => Promise<net.Socket>;

export const connectPinned: Connect = async (pinned, signal) => {
  const [only = '', ...more] = pinned.addresses;
  const checked = pinned.addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = net.connect({
    // Node connects to an address as it is; for a name, `lookup` returns the checked addresses.
    host: more.length === 0 ? only : pinned.host,
    port: pinned.port,
    autoSelectFamily: true,
    lookup: (_name, _options, answer) => answer(null, checked),
  });
  await opened(socket, 'connect', signal);
  if (!isPinned(pinned, socket.remoteAddress)) {
    const { remoteAddress } = socket;
    socket.destroy();
    // Operating systems connect 0.0.0.0 and :: to this machine.
    throw new Fault('net/refused', `${pinned.host} led to ${remoteAddress}, which was not checked.`);
  }
  return socket;
};

function isPinned(pinned: PinnedHost, remote: string | undefined): boolean {
  const connected = parseIpAddress(remote ?? '');
  if (!connected) return false;
  return pinned.addresses.some((text) => {
    const address = parseIpAddress(text);
    return address !== undefined && isSameIpAddress(address, connected);
  });
}

export interface ConnectionRequest {
  readonly address: WebAddress;
  readonly pinned: PinnedHost;
  readonly connect: Connect;
  readonly authorities?: string;
}

/** Opens a connection for HTTP. For https, the certificate is checked against the host of the address. */
export async function openConnection(request: ConnectionRequest, signal: AbortSignal): Promise<net.Socket> {
  const { address } = request;
  const socket = await request.connect(request.pinned, signal).catch((cause) => {
    signal.throwIfAborted();
    throw cause instanceof Fault ? cause : connectionFault(address, cause);
  });
  if (!address.isSecure) return socket;
  const secured = tls.connect({
    socket,
    host: address.host.text,
    // TLS has no server name for an IP address; the certificate is compared with `host` then.
    servername: address.host.address ? '' : address.host.text,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(request.authorities === undefined ? {} : { ca: request.authorities }),
  });
  await opened(secured, 'secureConnect', signal).catch((cause) => {
    socket.destroy();
    signal.throwIfAborted();
    throw tlsFault(address, cause);
  });
  return secured;
}

function opened(socket: net.Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason);
    const settle = (done: () => void) => () => {
      signal.removeEventListener('abort', abort);
      done();
    };
    let failure: unknown;
    socket.on('error', (error) => {
      failure ??= error;
    });
    socket.once(event, settle(resolve));
    socket.once(
      'close',
      settle(() => reject(failure ?? new Error('closed before it was open'))),
    );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
