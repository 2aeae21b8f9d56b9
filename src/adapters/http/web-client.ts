import type { Clock } from '../../base/clock.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import type { WebAnswer, WebClient, WebLimits, WebRequest } from '../../domain/web/web-client.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { type Dial, dialPinned } from './dial.ts';
import { standardHeaders } from './product.ts';
import { readBody } from './read-body.ts';
import { type RobotsGate, robotsGate } from './robots-gate.ts';
import { statusFault } from './status-fault.ts';
import { idleFault, timeoutFault } from './timeout-faults.ts';
import { type Arrival, type TravelPorts, travel } from './travel.ts';

export interface HttpPorts {
  readonly guard: HostGuard;
  readonly clock: Clock;
  /** Absent: real connections. */
  readonly dial?: Dial;
  /** Absent: the well-known certificate authorities. */
  readonly authorities?: string;
}

/**
 * HTTP/1.1 over a connection of its own for every hop. Proxies of the environment (`HTTPS_PROXY` and the like) are
 * not used: a proxy would resolve the name again, out of the guard's sight.
 */
export function httpWebClient(ports: HttpPorts, limits: WebLimits): WebClient {
  const travelPorts = { ...ports, dial: ports.dial ?? dialPinned };
  const robots = robotsGate(travelPorts);
  return {
    async get(request, signal) {
      const start = parseWebAddress(request.url);
      const bounds = tightest(limits, request.limits ?? {});
      const deadline = startDeadline(bounds.timeoutMs, () => timeoutFault(start, bounds), signal);
      try {
        return await fetchPage({ ...travelPorts, robots }, { request, start, limits: bounds }, deadline);
      } finally {
        deadline.end();
      }
    },
  };
}

interface Fetch {
  readonly request: WebRequest;
  readonly start: WebAddress;
  readonly limits: WebLimits;
}

async function fetchPage(
  ports: TravelPorts & { readonly clock: Clock; readonly robots: RobotsGate },
  fetch: Fetch,
  deadline: Deadline,
): Promise<WebAnswer> {
  const arrival = await travel(
    ports,
    {
      start: fetch.start,
      limits: fetch.limits,
      headersFor: requestHeaders(fetch),
      beforeHop: (address) => ports.robots.check(address, deadline.signal),
      idleFault: (address) => idleFault(address, fetch.limits),
    },
    deadline,
  );
  const { answer, address, redirects } = arrival;
  const answered = { url: address.href, redirects, validators: validatorsOf(arrival, fetch.request) };
  if (answer.status === 304 && isConditional(fetch.request, address)) {
    answer.close();
    return { type: 'not-modified', ...answered, fetchedAt: ports.clock.now() };
  }
  if (!PAGES.has(answer.status)) {
    answer.close();
    throw statusFault(address, answer.status);
  }
  const limit = { href: address.href, maxBytes: fetch.limits.maxBytes };
  const { bytes, sha256, wireBytes } = await readBody(answer, limit, deadline.signal);
  const contentType = answer.headers['content-type'];
  return {
    type: 'page',
    ...answered,
    contentType,
    body: bytes,
    sha256,
    wireBytes,
    fetchedAt: ports.clock.now(),
  };
}

const PAGES: ReadonlySet<number> = new Set([200, 203, 204, 205]);

const DEFAULT_ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5';

/** The caller's own headers are for the origin it named, and stay dropped when a redirect leads back there. */
function requestHeaders({ request, start }: Fetch): (address: WebAddress) => Record<string, string> {
  let hasLeft = false;
  return (address) => {
    hasLeft ||= address.origin !== start.origin;
    return {
      ...(hasLeft ? {} : request.headers),
      ...standardHeaders(request.accept ?? DEFAULT_ACCEPT),
      ...(isConditional(request, address) ? conditions(request) : {}),
    };
  };
}

function isConditional({ known }: WebRequest, address: WebAddress): boolean {
  return known?.url === address.href && Object.keys(conditions({ known })).length > 0;
}

/** What was stored may be damaged; a value that no header can carry is as good as none. */
function conditions({ known }: Pick<WebRequest, 'known'>): Record<string, string> {
  const headers = { 'if-none-match': known?.etag, 'if-modified-since': known?.lastModified };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value && HEADER_VALUE.test(value) ? [[name, value]] : [],
    ),
  );
}

const HEADER_VALUE = /^[\u0020-\u007e\u0080-\u00ff]+$/;

/** A 304 need not repeat what has not changed. */
function validatorsOf({ answer, address }: Arrival, { known }: WebRequest): WebAnswer['validators'] {
  const before = answer.status === 304 && known?.url === address.href ? known : undefined;
  const etag = answer.headers.etag ?? before?.etag;
  const lastModified = answer.headers['last-modified'] ?? before?.lastModified;
  return {
    url: address.href,
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

function tightest(own: WebLimits, asked: Partial<WebLimits>): WebLimits {
  const least = (name: keyof WebLimits) => Math.min(own[name], asked[name] ?? own[name]);
  return {
    maxBytes: least('maxBytes'),
    timeoutMs: least('timeoutMs'),
    idleMs: least('idleMs'),
    maxRedirects: least('maxRedirects'),
  };
}
