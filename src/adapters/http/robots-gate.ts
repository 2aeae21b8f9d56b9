import { Fault } from '../../base/fault.ts';
import type { Clock } from '../../base/time.ts';
import { parseRobots, type RobotsRules } from '../../domain/web/robots.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import { idleFault, startDeadline, timeoutFault } from './deadline.ts';
import { type FinalResponse, followRedirects, type RequestPorts } from './follow-redirects.ts';
import { readBody } from './read-body.ts';
import { PRODUCT, standardHeaders } from './send-request.ts';

export interface RobotsGate {
  /** Throws a Fault when robots.txt disallows the address or cannot be read. */
  check(address: WebAddress, signal: AbortSignal): Promise<void>;
}

/** Reads the robots.txt of each origin at most once a day, through the same host guard as pages. */
export function robotsGate(ports: RequestPorts & { readonly clock: Clock }): RobotsGate {
  const known = new Map<string, { readonly rules: RobotsRules; readonly until: number }>();
  return {
    async check(address, signal) {
      const { origin } = address;
      let entry = known.get(origin);
      if (!entry || entry.until <= ports.clock.now()) {
        entry = { rules: await fetchRules(ports, origin, signal), until: ports.clock.now() + CACHED_MS };
        known.delete(origin);
        known.set(origin, entry);
        const [oldest] = known.keys();
        if (known.size > MAX_ORIGINS && oldest !== undefined) known.delete(oldest);
      }
      if (entry.rules.allows(address.target)) return;
      throw new Fault('net/robots', `${origin}/robots.txt asks crawlers to leave ${address.target} alone.`, {
        hint: 'Save the page yourself and import the file.',
      });
    },
  };
}

const CACHED_MS = 24 * 60 * 60 * 1000;
const MAX_ORIGINS = 500;
/** RFC 9309 demands at least 500 KiB; rules after that are ignored. */
const READ_BYTES = 500 * 1024;
const LIMITS = { maxBytes: 16 * READ_BYTES, timeoutMs: 10_000, idleMs: 5_000, maxRedirects: 5 };

async function fetchRules(ports: RequestPorts, origin: string, signal: AbortSignal): Promise<RobotsRules> {
  const start = parseWebAddress(`${origin}/robots.txt`);
  const deadline = startDeadline(LIMITS.timeoutMs, () => timeoutFault(start, LIMITS), signal);
  try {
    const headersFor = () => standardHeaders('text/plain, */*;q=0.5');
    const idle = (address: WebAddress) => idleFault(address, LIMITS);
    const final = await followRedirects(
      ports,
      { start, limits: LIMITS, headersFor, idleFault: idle },
      deadline,
    );
    return await readRules(final, start, deadline.signal);
  } catch (error) {
    // Too many redirects count as a missing file.
    if (error instanceof Fault && error.code === 'net/redirects') return EVERYTHING;
    throw error;
  } finally {
    deadline.end();
  }
}

/** Without a file everything is allowed; after a server error nothing is. */
async function readRules(
  { response, address }: FinalResponse,
  start: WebAddress,
  signal: AbortSignal,
): Promise<RobotsRules> {
  if (response.status >= 200 && response.status < 300) {
    const limit = { href: address.href, maxBytes: LIMITS.maxBytes, cutAtBytes: READ_BYTES };
    const { bytes } = await readBody(response, limit, signal);
    return parseRobots(new TextDecoder().decode(bytes), PRODUCT);
  }
  response.close();
  if (response.status < 500) return EVERYTHING;
  throw new Fault(
    'net/robots',
    `${start.href} answers ${response.status}, so nothing is read there for now.`,
    { hint: 'Try again later.' },
  );
}

const EVERYTHING: RobotsRules = { allows: () => true };
