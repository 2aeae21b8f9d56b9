/** Regular expressions from strangers, tried only when they are sure to end soon. */

import { patternCost } from './pattern-cost.ts';

/** Whether the text matches; undefined when that is not known: the pattern is no pattern, or could take too long. */
export function matches(pattern: string, text: string): boolean | undefined {
  const cost = patternCost(pattern, text.length);
  if (cost === undefined || cost > MAX_STEPS) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

const MAX_STEPS = 10_000_000;
