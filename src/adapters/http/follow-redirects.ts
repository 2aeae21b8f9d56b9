import { admit } from '../../domain/web/admit.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { checkHost, checkRedirect, redirectTarget } from '../../domain/web/redirect.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';
import type { WebLimits } from '../../domain/web/web-client.ts';
import { type Connect, openConnection } from './connect.ts';
import type { Deadline } from './deadline.ts';
import { type HttpResponse, sendRequest } from './send-request.ts';

export interface RequestPorts {
  readonly guard: HostGuard;
  readonly connect: Connect;
  readonly authorities?: string;
}

export interface RedirectableRequest {
  readonly start: WebAddress;
  readonly limits: WebLimits;
  readonly onlyHosts?: readonly string[] | undefined;
  headersFor(address: WebAddress): Readonly<Record<string, string>>;
  /** Called before each request, after the guard has admitted its host. */
  beforeRequest?(address: WebAddress): Promise<void>;
  idleFault(address: WebAddress): Error;
}

export interface FinalResponse {
  readonly address: WebAddress;
  readonly redirects: readonly string[];
  /** The caller must read or close it. */
  readonly response: HttpResponse;
}

/** Follows redirects to the first other response. Each request passes the guard and has its own connection. */
export async function followRedirects(
  ports: RequestPorts,
  request: RedirectableRequest,
  deadline: Deadline,
): Promise<FinalResponse> {
  const redirects: string[] = [];
  let from: WebAddress | undefined;
  let address = request.start;
  for (;;) {
    const response = await requestOnce(ports, request, { address, from }, deadline);
    const location = response.headers.location;
    const next = closeOnError(response, () =>
      redirectTarget(address, { status: response.status, location: location && decodeHeader(location) }),
    );
    if (!next) return { address, redirects, response };
    response.close();
    redirects.push(address.href);
    checkRedirect(redirects, next, request.limits.maxRedirects);
    checkHost(next, request.onlyHosts);
    from = address;
    address = next;
  }
}

async function requestOnce(
  ports: RequestPorts,
  request: RedirectableRequest,
  target: { readonly address: WebAddress; readonly from: WebAddress | undefined },
  deadline: Deadline,
): Promise<HttpResponse> {
  const { address } = target;
  const pinned = await admit(ports, target, deadline.signal);
  await request.beforeRequest?.(address);
  const socket = await openConnection({ ...ports, address, pinned }, deadline.signal);
  return sendRequest(
    socket,
    {
      address,
      headers: request.headersFor(address),
      idleMs: request.limits.idleMs,
      onIdle: () => deadline.stop(request.idleFault(address)),
    },
    deadline.signal,
  );
}

function closeOnError<Value>(response: HttpResponse, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    response.close();
    throw error;
  }
}

/** Node decodes headers as Latin-1, but servers send UTF-8. */
function decodeHeader(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
