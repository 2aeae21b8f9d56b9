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
 * A function that replaces the values in a text: as they are, in base64 (also inside of longer base64), percent-encoded
 * and escaped as in JSON. The text may have been cut in the middle of one.
 */
export function secretMask(values: readonly string[]): (text: string) => string {
  const spellings = values.filter((value) => value !== '').flatMap(spellingsOf);
  // The longest first, as one may contain another.
  const sorted = spellings.toSorted((a, b) => b.length - a.length);
  const patterns = values.filter((value) => value !== '').map(percentPattern);
  return (text) => {
    let masked = text;
    for (const spelling of sorted) masked = masked.replaceAll(spelling, MASK);
    for (const pattern of patterns) masked = masked.replaceAll(pattern, MASK);
    return withoutCutSecret(masked, sorted);
  };
}

function spellingsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const encoded = [0, 1, 2].map((offset) => base64Inside(bytes, offset)).filter((each) => each.length >= 6);
  const whole = base64(bytes);
  const both = [whole, ...encoded].flatMap((each) => [
    each,
    each.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ]);
  return [value, JSON.stringify(value).slice(1, -1), ...both];
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

/** Matches the value with any of its characters percent-encoded. */
function percentPattern(value: string): RegExp {
  const characters = Array.from(value, (character) => {
    const encoded = Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${Array.from(byte.toString(16).padStart(2, '0'), anyCase).join('')}`,
    );
    const literal = character === ' ' ? '[ +]' : RegExp.escape(character);
    return `(?:${literal}|${encoded.join('')})`;
  });
  return new RegExp(characters.join(''), 'gu');
}

function anyCase(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}

/** Where bytes were cut in the middle of a character, replacement characters stand at the end. */
function withoutCutSecret(text: string, spellings: readonly string[]): string {
  const whole = text.replace(/\ufffd{1,3}$/, '');
  for (const spelling of spellings) {
    for (let length = spelling.length - 1; length >= SHORTEST_PART; length--) {
      if (whole.endsWith(spelling.slice(0, length))) return `${whole.slice(0, -length)}${MASK}`;
    }
  }
  return text;
}
