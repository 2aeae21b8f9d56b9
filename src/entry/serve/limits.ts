import type { Clock } from '../../base/time.ts';
import type { Metrics } from './metrics.ts';

/** Rate limits of this process. */
export interface RequestLimits {
  mayAsk(principal: string): boolean;
  /** Limits wrong tokens and logins by address. */
  mayFail(origin: string): boolean;
  refusal(): Response;
}

const FAILURES_PER_MINUTE = 30;

export function requestLimits(clock: Clock, perMinute: number, metrics: Metrics): RequestLimits {
  const asking = bucket(clock, perMinute);
  const failing = bucket(clock, FAILURES_PER_MINUTE);
  return {
    mayAsk: asking,
    mayFail: failing,
    refusal() {
      metrics.count('ken_limited_total');
      return new Response('Too many requests; try again in a moment.\n', {
        status: 429,
        headers: { 'retry-after': '10', 'content-type': 'text/plain; charset=utf-8' },
      });
    },
  };
}

/** Most keys in memory; the least recently used key is dropped first. */
const MOST_KEYS = 10_000;

/** A token bucket for each key, which holds `perMinute` and refills in a minute. Returns whether a request is allowed. */
function bucket(clock: Clock, perMinute: number): (key: string) => boolean {
  const known = new Map<string, { readonly left: number; readonly at: number }>();
  return (key) => {
    const now = clock.now();
    const before = known.get(key) ?? { left: perMinute, at: now };
    const gained = (Math.max(0, now - before.at) / 60_000) * perMinute;
    const left = Math.min(perMinute, before.left + gained);
    known.delete(key);
    known.set(key, { left: Math.max(0, left - 1), at: now });
    const [oldest] = known.size > MOST_KEYS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return left >= 1;
  };
}
