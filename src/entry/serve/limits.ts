import type { Clock } from '../../base/time.ts';
import type { Metrics } from './metrics.ts';

/** Limits on how often somebody may ask. They hold for this process. */
export interface RequestLimits {
  mayAsk(principal: string): boolean;
  /** Wrong tokens and logins of one address. */
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

/** Most keys that are remembered; the one that asked longest ago is forgotten first. */
const MOST_KEYS = 10_000;

/** Whether one more request of a key is within `perMinute`; what is saved up is never more than that. */
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
