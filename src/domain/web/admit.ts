import { Fault } from '../../base/fault.ts';
import { allowHint, type HostGuard, type PinnedHost } from './host-guard.ts';
import type { WebAddress } from './web-address.ts';

/** Checks one request before its first byte is sent; `from` is the address that redirected to it. */
export async function admit(
  ports: { readonly guard: HostGuard },
  hop: { readonly address: WebAddress; readonly from: WebAddress | undefined },
  signal: AbortSignal,
): Promise<PinnedHost> {
  const { host, port, isSecure } = hop.address;
  const pinned = await ports.guard.pin({ host: host.text, port }, signal);
  if (isBlockedPort(port) && pinned.listed !== 'host-and-port') {
    throw new Fault('net/refused', `Port ${port} of ${host.text} belongs to another protocol.`, {
      hint: allowHint(host.text, port),
    });
  }
  if (hop.from?.isSecure && !isSecure && !pinned.listed) {
    const route = `${hop.from.origin} redirects to ${hop.address.origin}`;
    throw new Fault('net/refused', `${route}, from an encrypted address to an unencrypted one.`, {
      hint: allowHint(host.text),
    });
  }
  return pinned;
}

/** Ports whose servers could read a web request as commands: the list of the Fetch standard. */
function isBlockedPort(port: number): boolean {
  return BLOCKED.has(port);
}

const BLOCKED: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
