/** The options of one call, as read from the command line. */

import { Fault } from '../../base/fault.ts';

/** An option is asked for by its long name, as its flags write it: `knowledge`, `no-color`. */
export interface Options {
  /** Was it given? */
  has(name: string): boolean;
  /** The last value given. */
  text(name: string): string | undefined;
  /** Every value of a repeatable option, in order. */
  texts(name: string): readonly string[];
  /** Every value of these options, in the order of the line, for options that belong to the one before them. */
  inOrder(...names: readonly string[]): readonly { readonly name: string; readonly value: string }[];
  /** A whole number from `from` on; anything else is a usage Fault. */
  count(name: string, from?: number): number | undefined;
}

export interface GivenValue {
  readonly name: string;
  /** Absent for a switch. */
  readonly value: string | undefined;
}

export function optionsFrom(given: readonly GivenValue[]): Options {
  const texts = (name: string) =>
    given.flatMap((each) => (each.name === name && each.value !== undefined ? [each.value] : []));
  return {
    has: (name) => given.some((each) => each.name === name),
    text: (name) => texts(name).at(-1),
    texts,
    inOrder: (...names) =>
      given.flatMap(({ name, value }) =>
        names.includes(name) && value !== undefined ? [{ name, value }] : [],
      ),
    count: (name, from = 0) => {
      const number = texts(name).at(-1);
      return number === undefined ? undefined : wholeNumber(name, number, from);
    },
  };
}

function wholeNumber(name: string, given: string, from: number): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= from) return number;
  throw new Fault('cli/usage', `--${name} takes a whole number from ${from}, not "${given}".`);
}
