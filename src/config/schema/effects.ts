import type { Json } from '../../base/json.ts';
import type { Effect } from './node.ts';

/** Goes after a key: `assistant.model: sends text to another machine`. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  harmless: 'changes nothing outside the workspace',
  reads: 'reads files that may hold secrets or lie outside the workspace',
  sends: 'sends text out, or decides where it goes',
  costs: 'can make an answer slower or more expensive',
  runs: 'runs programs or reaches the net',
  weakens: 'takes away a protection',
  instructs: 'speaks to the model in your name',
};

/** A limit that is no higher than before; where there was none, every limit narrows. */
export function atMost(value: Json, below: Json | undefined): boolean {
  return typeof value === 'number' && (typeof below !== 'number' || value <= below);
}

/** A switch may always be turned off, and turned on where no lower layer turned it off. */
export function unlessSwitchedOff(value: Json, below: Json | undefined): boolean {
  return value === false || below !== false;
}

/**
 * Whether a path or glob stays below the workspace and can name no hidden file. Anything that could spell a dot
 * another way (a bracket, a brace, a leading question mark) counts as hidden. `.ken/kb` is where topics are made.
 */
export function isPlainPath(value: Json): boolean {
  if (typeof value !== 'string') return false;
  const rest = value.replace(/^(?:\.\/)+/, '').replace(/^\.ken\/kb(?=\/|$)/, 'kb');
  if (rest === '.' || rest === '') return value !== '';
  return rest
    .split('/')
    .every((part, at, all) => PLAIN_PART.test(part) || (part === '' && at === all.length - 1 && at > 0));
}

const PLAIN_PART = /^(?:[\p{L}\p{N}_ ][^\p{Cc}/\\[\]{}()!@+]*|\*[^\p{Cc}/\\[\]{}()!@+]*)$/u;
