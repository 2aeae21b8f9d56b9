/** One level of a glob: `*`, `?`, `[..]`, `\` before a character that means itself. */

type Part = typeof ANY_TEXT | ((character: string) => boolean);
export type SegmentPattern = readonly Part[];

const ANY_TEXT = Symbol('*');

export function parseSegment(text: string): SegmentPattern {
  const characters = [...text];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; ) {
    const [part, next] = readPart(characters, at);
    if (part !== ANY_TEXT || parts.at(-1) !== ANY_TEXT) parts.push(part);
    at = next;
  }
  return parts;
}

/** On a mismatch only the last `*` takes one more character; earlier ones never need to be tried again. */
export function matchSegment(parts: SegmentPattern, segment: string): boolean {
  const characters = [...segment];
  let part = 0;
  let at = 0;
  let star = -1;
  let starTook = 0;
  while (at < characters.length) {
    const test = parts[part];
    if (test === ANY_TEXT) {
      star = part++;
      starTook = at;
    } else if (test?.(characters[at] ?? '')) {
      part += 1;
      at += 1;
    } else if (star === -1) return false;
    else {
      part = star + 1;
      at = ++starTook;
    }
  }
  while (parts[part] === ANY_TEXT) part += 1;
  return part === parts.length;
}

function readPart(characters: readonly string[], at: number): [Part, next: number] {
  const character = characters[at] ?? '';
  if (character === '*') return [ANY_TEXT, at + 1];
  if (character === '?') return [() => true, at + 1];
  if (character === '[') return readBracket(characters, at) ?? [literal('['), at + 1];
  const escaped = characters[at + 1];
  if (character === '\\' && escaped !== undefined) return [literal(escaped), at + 2];
  return [literal(character), at + 1];
}

function literal(wanted: string): (character: string) => boolean {
  return (character) => character === wanted;
}

/** `]` right after the opening (or its `!` or `^`) means itself; without an end the bracket does too. */
function readBracket(characters: readonly string[], start: number): [Part, next: number] | undefined {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const tests: ((character: string) => boolean)[] = [];
  for (let at = first; at < characters.length; ) {
    if (characters[at] === ']' && at > first) {
      return [(character) => tests.some((test) => test(character)) !== isNegated, at + 1];
    }
    const [test, next] = readNamedClass(characters, at) ?? readRange(characters, at);
    tests.push(test);
    at = next;
  }
  return undefined;
}

const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  word: /^\w$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

type Read = [test: (character: string) => boolean, next: number];

/** `[:alpha:]` */
function readNamedClass(characters: readonly string[], at: number): Read | undefined {
  if (characters[at] !== '[' || characters[at + 1] !== ':') return undefined;
  const [written = ''] = /^\[:[a-z]+:\]/.exec(characters.slice(at, at + 12).join('')) ?? [];
  const members = NAMED_CLASSES[written.slice(2, -2)];
  return members && [(character) => members.test(character), at + written.length];
}

function readRange(characters: readonly string[], start: number): Read {
  const [from, afterFrom] = readMember(characters, start);
  const isRange = characters[afterFrom] === '-' && (characters[afterFrom + 1] ?? ']') !== ']';
  if (!isRange) return [literal(from), afterFrom];
  const [to, next] = readMember(characters, afterFrom + 1);
  const low = from.codePointAt(0) ?? 0;
  const high = to.codePointAt(0) ?? 0;
  return [(character) => inRange(character.codePointAt(0) ?? 0, low, high), next];
}

function readMember(characters: readonly string[], at: number): [character: string, next: number] {
  const escaped = characters[at + 1];
  if (characters[at] === '\\' && escaped !== undefined) return [escaped, at + 2];
  return [characters[at] ?? '', at + 1];
}

function inRange(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
