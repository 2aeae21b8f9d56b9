/** The options of one call, as read from the command line. */

import { Fault } from '../../base/fault.ts';

export interface Options {
  /** Was the switch given? */
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** Every value of a repeatable option, in order. */
  texts(name: string): readonly string[];
  /** A whole number from `from` on; anything else is a usage Fault. */
  count(name: string, from?: number): number | undefined;
}

/** `values` holds what commander collected, by camelCase name. */
export function optionsFrom(values: Readonly<Record<string, unknown>>): Options {
  const given = (name: string) => values[camelCase(name)];
  const text = (name: string) => {
    const value = given(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    has: (name) => given(name) !== undefined && given(name) !== false,
    text,
    texts: (name) => {
      const value = given(name);
      if (Array.isArray(value)) return value.map(String);
      return typeof value === 'string' ? [value] : [];
    },
    count: (name, from = 0) => {
      const number = text(name);
      return number === undefined ? undefined : wholeNumber(name, number, from);
    },
  };
}

function wholeNumber(name: string, given: string, from: number): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= from) return number;
  throw new Fault('cli/usage', `--${name} takes a whole number from ${from}, not "${given}".`);
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
