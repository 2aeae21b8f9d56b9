import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { parseRobots, type RobotsRules } from '../../domain/web/robots.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import { startDeadline } from './deadline.ts';
import { PRODUCT, standardHeaders } from './product.ts';
import { readBody } from './read-body.ts';
import { idleFault, timeoutFault } from './timeout-faults.ts';
import { type Arrival, type TravelPorts, travel } from './travel.ts';

export interface RobotsGate {
  /** A Fault when the site asks crawlers to leave this address alone, or cannot be asked. */
  check(address: WebAddress, signal: AbortSignal): Promise<void>;
}

/** Asks each origin once a day, through the same guard as everything else. */
export function robotsGate(ports: TravelPorts & { readonly clock: Clock }): RobotsGate {
  const known = new Map<string, { readonly rules: RobotsRules; readonly until: number }>();
  return {
    async check(address, signal) {
      const { origin } = address;
      let entry = known.get(origin);
      if (!entry || entry.until <= ports.clock.now()) {
        entry = { rules: await fetchRules(ports, origin, signal), until: ports.clock.now() + KEEP_MS };
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

const KEEP_MS = 24 * 60 * 60 * 1000;
const MAX_ORIGINS = 500;
/** RFC 9309 wants at least 500 KiB to be read; rules beyond are not heard. */
const READ_BYTES = 500 * 1024;
const LIMITS = { maxBytes: 16 * READ_BYTES, timeoutMs: 10_000, idleMs: 5_000, maxRedirects: 5 };

async function fetchRules(ports: TravelPorts, origin: string, signal: AbortSignal): Promise<RobotsRules> {
  const start = parseWebAddress(`${origin}/robots.txt`);
  const deadline = startDeadline(LIMITS.timeoutMs, () => timeoutFault(start, LIMITS), signal);
  try {
    const headersFor = () => standardHeaders('text/plain, */*;q=0.5');
    const idle = (address: WebAddress) => idleFault(address, LIMITS);
    const arrival = await travel(ports, { start, limits: LIMITS, headersFor, idleFault: idle }, deadline);
    return await readRules(arrival, start, deadline.signal);
  } catch (error) {
    // Endless redirects count as a file that is not there.
    if (error instanceof Fault && error.code === 'net/redirects') return EVERYTHING;
    throw error;
  } finally {
    deadline.end();
  }
}

/** No such file: everything may be read. A server in trouble: nothing may. */
async function readRules(arrival: Arrival, start: WebAddress, signal: AbortSignal): Promise<RobotsRules> {
  const { answer, address } = arrival;
  if (answer.status >= 200 && answer.status < 300) {
    const limit = { href: address.href, maxBytes: LIMITS.maxBytes, cutAtBytes: READ_BYTES };
    const { bytes } = await readBody(answer, limit, signal);
    return parseRobots(new TextDecoder().decode(bytes), PRODUCT);
  }
  answer.close();
  if (answer.status < 500) return EVERYTHING;
  throw new Fault('net/robots', `${start.href} answers ${answer.status}, so nothing is read there for now.`, {
    hint: 'Try again later.',
  });
}

const EVERYTHING: RobotsRules = { allows: () => true };
