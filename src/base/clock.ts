/** The only source of time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export function fixedClock(now: number): Clock {
  return { now: () => now };
}
