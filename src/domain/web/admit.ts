import { Fault } from '../../base/fault.ts';
import { isBlockedPort } from './blocked-ports.ts';
import { allowHint, type HostGuard, type PinnedHost } from './host-guard.ts';
import type { WebAddress } from './web-address.ts';

/** Checks everything about one hop before its first byte is sent; `from` is the address that redirected to it. */
export async function admit(
  ports: { readonly guard: HostGuard },
  hop: { readonly address: WebAddress; readonly from: WebAddress | undefined },
  signal: AbortSignal,
): Promise<PinnedHost> {
  const { host, port, isSecure } = hop.address;
  const pinned = await ports.guard.pin({ host: host.text, port }, signal);
  if (isBlockedPort(port) && pinned.listed !== 'host-and-port') {
    throw new Fault(
      'net/refused',
      `Port ${port} of ${host.text} belongs to another protocol than the web's.`,
      {
        hint: allowHint(host.text, port),
      },
    );
  }
  if (hop.from?.isSecure && !isSecure && !pinned.listed) {
    const route = `${hop.from.origin} redirects to ${hop.address.origin}`;
    throw new Fault('net/refused', `${route}, from an encrypted address to an open one.`, {
      hint: allowHint(host.text),
    });
  }
  return pinned;
}
