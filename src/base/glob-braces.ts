/** `a/{b,c}` → `a/b`, `a/c`. */

const MAX_ALTERNATIVES = 256;

/** Every pattern the braces stand for, or nothing when they are too many. Braces without a comma mean themselves. */
export function expandBraces(pattern: string): string[] | undefined {
  const expanded: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (!group) expanded.push(next);
    else {
      const { before, choices, after } = group;
      waiting.push(...choices.map((choice) => before + choice + after).reverse());
    }
    if (expanded.length + waiting.length > MAX_ALTERNATIVES) return undefined;
  }
  return expanded;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The leftmost group that has a comma of its own; those inside its choices are expanded in later rounds. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = nextBrace(pattern, 0); start !== -1; start = nextBrace(pattern, start + 1)) {
    const choices = readGroup(pattern, start);
    if (!choices) continue;
    const length = choices.reduce((sum, choice) => sum + choice.length + 1, 1);
    return { before: pattern.slice(0, start), choices, after: pattern.slice(start + length) };
  }
  return undefined;
}

function nextBrace(pattern: string, from: number): number {
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '{') return at;
  }
  return -1;
}

function readGroup(pattern: string, start: number): string[] | undefined {
  const choices: string[] = [];
  let depth = 0;
  let choiceStart = start + 1;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(choiceStart, at));
      choiceStart = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) return choices.length > 0 ? [...choices, pattern.slice(choiceStart, at)] : undefined;
    }
  }
  return undefined;
}
