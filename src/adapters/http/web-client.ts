import { STATUS_CODES } from 'node:http';
import { Fault } from '../../base/fault.ts';
import type { Clock } from '../../base/time.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import type { WebAnswer, WebClient, WebLimits, WebRequest } from '../../domain/web/web-client.ts';
import { type Connect, connectPinned } from './connect.ts';
import { type Deadline, idleFault, startDeadline, timeoutFault } from './deadline.ts';
import { type FinalResponse, followRedirects, type RequestPorts } from './follow-redirects.ts';
import { readBody } from './read-body.ts';
import { type RobotsGate, robotsGate } from './robots-gate.ts';
import { standardHeaders } from './send-request.ts';

export interface HttpPorts {
  readonly guard: HostGuard;
  readonly clock: Clock;
  /** `connectPinned` by default. */
  readonly connect?: Connect;
  readonly authorities?: string;
}

/** Uses a connection for every request, and no proxy: it would resolve the name again without the host guard. */
export function httpWebClient(ports: HttpPorts, limits: WebLimits): WebClient {
  const requestPorts = { ...ports, connect: ports.connect ?? connectPinned };
  const robots = robotsGate(requestPorts);
  return {
    async get(request, signal) {
      const start = parseWebAddress(request.url);
      const bounds = tightest(limits, request.limits ?? {});
      const deadline = startDeadline(bounds.timeoutMs, () => timeoutFault(start, bounds), signal);
      try {
        return await fetchPage({ ...requestPorts, robots }, { request, start, limits: bounds }, deadline);
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
  ports: RequestPorts & { readonly clock: Clock; readonly robots: RobotsGate },
  fetch: Fetch,
  deadline: Deadline,
): Promise<WebAnswer> {
  const final = await followRedirects(
    ports,
    {
      start: fetch.start,
      limits: fetch.limits,
      onlyHosts: fetch.request.onlyHosts,
      headersFor: requestHeaders(fetch),
      beforeRequest: (address) => ports.robots.check(address, deadline.signal),
      idleFault: (address) => idleFault(address, fetch.limits),
    },
    deadline,
  );
  const { response, address, redirects } = final;
  const answered = { url: address.href, redirects, validators: validatorsOf(final, fetch.request) };
  if (response.status === 304 && isConditional(fetch.request, address)) {
    response.close();
    return { type: 'not-modified', ...answered, fetchedAt: ports.clock.now() };
  }
  if (!PAGES.has(response.status)) {
    response.close();
    throw statusFault(address, response.status);
  }
  const limit = { href: address.href, maxBytes: fetch.limits.maxBytes };
  const { bytes, sha256, wireBytes } = await readBody(response, limit, deadline.signal);
  const contentType = response.headers['content-type'];
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

/** Does not repeat text of the server. */
function statusFault(address: WebAddress, status: number): Fault {
  const { code, hint } = MEANINGS[status] ?? {};
  const text = `${address.href} answered ${status}${STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : ''}.`;
  return new Fault(code ?? 'net/status', text, { hint });
}

const LOGIN = { code: 'net/status', hint: 'It wants a login, which ken does not have.' } as const;
const LATER = { code: 'net/status', hint: 'Try again later.' } as const;
const UNASKED = { code: 'net/protocol', hint: 'ken did not ask for that.' } as const;
const GONE = { code: 'net/not-found', hint: undefined } as const;

const MEANINGS: Record<number, typeof LOGIN | typeof LATER | typeof UNASKED | typeof GONE> = {
  206: UNASKED,
  304: UNASKED,
  401: LOGIN,
  403: LOGIN,
  404: GONE,
  410: GONE,
  429: LATER,
  502: LATER,
  503: LATER,
  504: LATER,
};

const DEFAULT_ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5';

/** Sends the caller's headers only to the first origin, and no longer after a redirect has left it. */
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

/** Leaves out stored values that are not valid in a header, as they may be damaged. */
function conditions({ known }: Pick<WebRequest, 'known'>): Record<string, string> {
  const headers = { 'if-none-match': known?.etag, 'if-modified-since': known?.lastModified };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value && HEADER_VALUE.test(value) ? [[name, value]] : [],
    ),
  );
}

const HEADER_VALUE = /^[\u0020-\u007e\u0080-\u00ff]+$/;

/** A 304 may omit validators that have not changed. */
function validatorsOf({ response, address }: FinalResponse, { known }: WebRequest): WebAnswer['validators'] {
  const before = response.status === 304 && known?.url === address.href ? known : undefined;
  const etag = response.headers.etag ?? before?.etag;
  const lastModified = response.headers['last-modified'] ?? before?.lastModified;
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
