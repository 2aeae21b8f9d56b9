/** Regular expressions from strangers, tried only when they are sure to end soon. */

/** Undefined when the pattern is invalid or could take too long. */
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

/**
 * Upper bound of the steps of a backtracking engine on a text of `length` UTF-16 units. Undefined for what it cannot
 * judge: back references, endlessly repeated groups with a choice, invalid or very long patterns.
 */
export function patternCost(pattern: string, length: number): number | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  const reader = { pattern, at: 0, places: length + 1 };
  const cost = alternation(reader);
  if (!cost || reader.at < pattern.length) return undefined;
  const starts = pattern.startsWith('^') && !pattern.includes('|') ? 1 : reader.places;
  return cost.ways * cost.size * starts;
}

const MAX_PATTERN_LENGTH = 1000;
/** Size limit of a pattern with all counted repetitions written out. */
const MAX_SIZE = 5000;

interface Reader {
  readonly pattern: string;
  at: number;
  /** Number of places in the text where a match can begin or end. */
  readonly places: number;
}

interface Cost {
  /** Largest number of ways to match at one place. */
  readonly ways: number;
  /** Steps of one way, without endless repetitions: each of their steps is a way. */
  readonly size: number;
}

function alternation(reader: Reader): Cost | undefined {
  let total: Cost = { ways: 0, size: 0 };
  for (;;) {
    const cost = sequence(reader);
    if (!cost) return undefined;
    total = { ways: total.ways + cost.ways, size: total.size + cost.size };
    if (reader.pattern[reader.at] !== '|') return total;
    reader.at += 1;
  }
}

function sequence(reader: Reader): Cost | undefined {
  let total: Cost = { ways: 1, size: 1 };
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const once = reader.pattern[reader.at] === '(' ? group(reader) : simpleAtom(reader);
    const cost = once && repeated(reader, once);
    if (!cost) return undefined;
    total = { ways: total.ways * cost.ways, size: total.size + cost.size };
    if (total.size > MAX_SIZE) return undefined;
  }
  return total;
}

function simpleAtom(reader: Reader): Cost | undefined {
  const found = SIMPLE_ATOM.exec(reader.pattern.slice(reader.at))?.[0];
  if (found === undefined) return undefined;
  reader.at += found.length;
  return { ways: 1, size: 1 };
}

/** An escape that is not a back reference, a class, or a character that means itself, `.`, `^` or `$`. */
const SIMPLE_ATOM = /^(?:\\(?:[pPu]\{[^}]*\}|[^k1-9])|\[(?:\\.|[^\]\\])*\]|[^\\[\](){}*+?|])/su;

function group(reader: Reader): Cost | undefined {
  const opening = GROUP_OPENING.exec(reader.pattern.slice(reader.at))?.[0] ?? '(';
  reader.at += opening.length;
  const cost = alternation(reader);
  if (reader.pattern[reader.at] !== ')') return undefined;
  reader.at += 1;
  return cost;
}

const GROUP_OPENING = /^\((?:\?(?::|=|!|<=|<!|<[\p{L}_$][\p{L}\p{N}_$]*>))?/u;

/** Multiplies by the repetition that follows, if there is one. */
function repeated(reader: Reader, once: Cost): Cost | undefined {
  const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.pattern.slice(reader.at));
  if (!found) return once;
  reader.at += found[0].length;
  const [least, most] = bounds(found);
  if (most < least) return undefined;
  const size = once.size * Math.max(1, Number.isFinite(most) ? most : least);
  // An endless repetition of what can match in several ways takes exponential time.
  if (once.ways > 1 && !Number.isFinite(most)) return undefined;
  const ways =
    once.ways > 1 ? sumOfPowers(once.ways, least, most) : Math.min(most - least + 1, reader.places);
  return { ways, size };
}

function bounds([text, least, comma, most]: RegExpExecArray): [least: number, most: number] {
  if (text.startsWith('?')) return [0, 1];
  if (text.startsWith('*')) return [0, Number.POSITIVE_INFINITY];
  if (text.startsWith('+')) return [1, Number.POSITIVE_INFINITY];
  if (!comma) return [Number(least), Number(least)];
  return [Number(least), most ? Number(most) : Number.POSITIVE_INFINITY];
}

function sumOfPowers(base: number, least: number, most: number): number {
  let sum = 0;
  for (let exponent = least; exponent <= Math.min(most, least + MAX_SIZE); exponent++)
    sum += base ** exponent;
  return sum;
}
