import { admit } from '../../domain/web/admit.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { checkRedirect, redirectTarget } from '../../domain/web/redirect.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';
import type { WebLimits } from '../../domain/web/web-client.ts';
import type { Deadline } from './deadline.ts';
import { type Dial, openConnection } from './dial.ts';
import { exchange, type HttpResponse } from './exchange.ts';

export interface TravelPorts {
  readonly guard: HostGuard;
  readonly dial: Dial;
  /** Certificates to trust in place of the well-known authorities. */
  readonly authorities?: string;
}

export interface Journey {
  readonly start: WebAddress;
  readonly limits: WebLimits;
  headersFor(address: WebAddress): Readonly<Record<string, string>>;
  /** Asked before each hop is sent, after its host was admitted. */
  beforeHop?(address: WebAddress): Promise<void>;
  idleFault(address: WebAddress): Error;
}

export interface Arrival {
  readonly address: WebAddress;
  readonly redirects: readonly string[];
  /** To be read or closed by the caller. */
  readonly answer: HttpResponse;
}

/** Follows redirects to the first answer that is none. Each hop passes the guard and has a connection of its own. */
export async function travel(ports: TravelPorts, journey: Journey, deadline: Deadline): Promise<Arrival> {
  const redirects: string[] = [];
  let from: WebAddress | undefined;
  let address = journey.start;
  for (;;) {
    const answer = await hop(ports, journey, { address, from }, deadline);
    const location = answer.headers.location;
    const next = redirectOrClose(answer, () =>
      redirectTarget(address, { status: answer.status, location: location && decodeHeader(location) }),
    );
    if (!next) return { address, redirects, answer };
    answer.close();
    redirects.push(address.href);
    checkRedirect(redirects, next, journey.limits.maxRedirects);
    from = address;
    address = next;
  }
}

async function hop(
  ports: TravelPorts,
  journey: Journey,
  stop: { readonly address: WebAddress; readonly from: WebAddress | undefined },
  deadline: Deadline,
): Promise<HttpResponse> {
  const { address } = stop;
  const pinned = await admit(ports, stop, deadline.signal);
  await journey.beforeHop?.(address);
  const socket = await openConnection({ ...ports, address, pinned }, deadline.signal);
  return exchange(
    socket,
    {
      address,
      headers: journey.headersFor(address),
      idleMs: journey.limits.idleMs,
      onIdle: () => deadline.stop(journey.idleFault(address)),
    },
    deadline.signal,
  );
}

function redirectOrClose<Value>(answer: HttpResponse, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    answer.close();
    throw error;
  }
}

/** Node reads header bytes as Latin-1; what servers send beyond ASCII is UTF-8. */
function decodeHeader(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
