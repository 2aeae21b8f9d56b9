/** Secrets that a Wasm tool gets as environment variables, and how they are kept out of what it answers. */

import { Fault } from '../../../base/fault.ts';

/** Where values of secrets are kept: the operator's environment, or the keyring of the system. */
export interface SecretStore {
  /** Throws a Fault when there is no such secret. */
  read(source: SecretSource): Promise<string>;
}

export type SecretSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'keyring'; readonly service: string; readonly account: string | undefined };

/** `env:NAME`, `keyring:SERVICE` or `keyring:SERVICE/ACCOUNT`. `key` is the key that has it, for errors. */
export function secretSource(key: string, from: string): SecretSource {
  const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(from)?.[1];
  if (variable !== undefined) return { kind: 'env', name: variable };
  const [, service, account] = /^keyring:([^/\s-][^/\p{Cc}]*)(?:\/([^\p{Cc}]+))?$/u.exec(from) ?? [];
  if (service !== undefined) return { kind: 'keyring', service, account };
  throw new Fault('config/invalid', `${key} names no secret: ${JSON.stringify(from)}.`, {
    hint: 'Write "env:VARIABLE", "keyring:SERVICE" or "keyring:SERVICE/ACCOUNT".',
  });
}

const MASK = '[secret]';
/** A shorter part of a secret at the end of a text is left: it may be anything. */
const SHORTEST_PART = 4;

/**
 * A function that replaces the values in a text: as they are, in base64 (also inside of longer base64), in hexadecimal,
 * percent-encoded and escaped as in JSON. The text may have been cut in the middle of one. It takes time in proportion
 * to the text, also for a hundred thousand short ones: whoever wrote them may want ken to wait.
 */
export function secretMask(values: readonly string[]): (text: string) => string {
  const secrets = values.filter((value) => value !== '');
  // The longest first, as one may contain another.
  const spellings = secrets.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
  if (spellings.length === 0) return (text) => text;
  const heads = [...new Set(spellings.map(headOf))].map((head) => RegExp.escape(head));
  const mayHoldOne = new RegExp(heads.join('|'));
  const percentMasks = secrets.map(percentMask);
  return (text) => {
    const masked = mayHoldOne.test(text) ? withoutSpellings(text, spellings) : text;
    return percentMasks.reduce((sofar, mask) => mask(sofar), masked);
  };
}

function headOf(spelling: string): string {
  return spelling.slice(0, SHORTEST_PART);
}

function withoutSpellings(text: string, spellings: readonly string[]): string {
  const whole = spellings.reduce((sofar, spelling) => sofar.replaceAll(spelling, MASK), text);
  return withoutCutSecret(whole, spellings);
}

function spellingsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const encoded = [0, 1, 2].map((offset) => base64Inside(bytes, offset)).filter((each) => each.length >= 6);
  const whole = base64(bytes);
  const both = [whole, ...encoded].flatMap((each) => [
    each,
    each.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ]);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const digits = bytes.length < SHORTEST_PART ? [] : [hex, hex.toUpperCase()];
  return [value, JSON.stringify(value).slice(1, -1), ...both, ...digits];
}

/** The characters of base64 that depend on these bytes alone, when so many other bytes stand before them. */
function base64Inside(bytes: Uint8Array, offset: number): string {
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const text = base64(padded).replace(/=+$/, '');
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return text.slice(first, end);
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Replaces the value with any of its characters percent-encoded. */
function percentMask(value: string): (text: string) => string {
  const characters = Array.from(value, percentCharacter);
  // Without the flag "u", which would go back from the middle of a character to its beginning, again and again.
  const starts = new RegExp(characters.slice(0, SHORTEST_PART).map(patternOf).join(''), 'gi');
  return (text) => {
    if (!/[%+]/.test(text)) return text;
    const kept: string[] = [];
    let at = 0;
    starts.lastIndex = 0;
    for (let found = starts.exec(text); found; found = starts.exec(text)) {
      const end = endOfPercent(text, found.index, characters);
      if (end !== undefined) kept.push(text.slice(at, found.index), MASK);
      at = end ?? at;
      // The value may begin inside of what looked like its beginning.
      starts.lastIndex = end ?? found.index + 1;
    }
    return at === 0 ? text : [...kept, text.slice(at)].join('');
  };
}

/** A character, and how it is percent-encoded, in small letters. */
interface PercentCharacter {
  readonly plain: string;
  readonly encoded: string;
}

function percentCharacter(plain: string): PercentCharacter {
  const bytes = Array.from(new TextEncoder().encode(plain), (byte) => byte.toString(16).padStart(2, '0'));
  return { plain, encoded: bytes.map((byte) => `%${byte}`).join('') };
}

function patternOf({ plain, encoded }: PercentCharacter): string {
  return `(?:${plain === ' ' ? '[ +]' : RegExp.escape(plain)}|${encoded})`;
}

/** Where the value ends that begins here; undefined when it is another text. */
function endOfPercent(
  text: string,
  start: number,
  characters: readonly PercentCharacter[],
): number | undefined {
  let at = start;
  for (const { plain, encoded } of characters) {
    if (text.slice(at, at + encoded.length).toLowerCase() === encoded) at += encoded.length;
    else if (text.startsWith(plain, at) || (plain === ' ' && text[at] === '+')) at += plain.length;
    else return undefined;
  }
  return at;
}

/** Where bytes were cut in the middle of a character, replacement characters stand at the end. */
function withoutCutSecret(text: string, spellings: readonly string[]): string {
  const whole = text.replace(/\ufffd{1,3}$/, '');
  for (const spelling of spellings) {
    const length = cutLength(whole, spelling);
    if (length > 0) return `${whole.slice(0, -length)}${MASK}`;
  }
  return text;
}

/** How much of the spelling's beginning stands at the end of the text. */
function cutLength(text: string, spelling: string): number {
  const head = headOf(spelling);
  if (spelling.length <= head.length) return 0;
  const end = text.slice(-(spelling.length - 1));
  for (let at = end.indexOf(head); at >= 0; at = end.indexOf(head, at + 1)) {
    const part = end.slice(at);
    if (spelling.startsWith(part)) return part.length;
  }
  return 0;
}
