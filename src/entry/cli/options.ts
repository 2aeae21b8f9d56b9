/** The options of one call, as read from the command line. */

import { Fault } from '../../base/fault.ts';
import type { OptionSpec } from './command.ts';

/**
 * An option is read by its long name, as its flags write it: `knowledge`, `no-color`. `Name` is the names that can be
 * read, `Valued` those of them that take a value. Functions as properties keep TypeScript from passing on options that
 * have fewer names than are read.
 */
export interface Options<Name extends string = never, Valued extends string = Name> {
  /** True if the option was given. */
  readonly has: (name: Name) => boolean;
  /** The last value given. */
  readonly text: (name: Valued) => string | undefined;
  /** Every value of a repeatable option, in order. */
  readonly texts: (name: Valued) => readonly string[];
  /** Every value of these options in the order of the line, for options that refer to the one before them. */
  readonly inOrder: <Asked extends Valued>(
    ...names: readonly Asked[]
  ) => readonly { readonly name: Asked; readonly value: string }[];
  /** The value as a whole number of at least `from`; throws a usage Fault for anything else. */
  readonly count: (name: Valued, from?: number) => number | undefined;
}

/** `knowledge` of `-k, --knowledge <topic/glob>`. Flags that are not known to the compiler have no name. */
export type LongName<Flags extends string> = string extends Flags
  ? never
  : Flags extends `${string}--${infer Rest}`
    ? Rest extends `${infer Name} ${string}`
      ? Name
      : Rest
    : never;

/** The long name where the flags have a value: `--limit <n>` or `--since [date]`. */
export type ValuedName<Flags extends string> = Flags extends `${string} ${'<' | '['}${string}`
  ? LongName<Flags>
  : never;

export interface GivenValue {
  readonly name: string;
  /** Absent for a switch. */
  readonly value: string | undefined;
}

export function optionsFrom(given: readonly GivenValue[]): Options<string> {
  const texts = (name: string) =>
    given.flatMap((each) => (each.name === name && each.value !== undefined ? [each.value] : []));
  return {
    has: (name) => given.some((each) => each.name === name),
    text: (name) => texts(name).at(-1),
    texts,
    inOrder: (...names) =>
      given.flatMap((each) => {
        const name = names.find((asked) => asked === each.name);
        return name !== undefined && each.value !== undefined ? [{ name, value: each.value }] : [];
      }),
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

/** The value of a required option; throws a usage Fault if it is missing. */
export function requiredText<Name extends string>(options: Options<Name>, name: Name): string {
  const text = options.text(name);
  if (text !== undefined) return text;
  throw new Fault('cli/usage', `--${name} is missing.`, { hint: 'See "--help" for an example.' });
}

export interface OptionShape {
  /** The long name, by which a command reads it. */
  readonly name: string;
  /** `k` */
  readonly letter: string | undefined;
  /** `optional` values are written `--name=value` only, since the next word may be an argument. */
  readonly value: 'none' | 'required' | 'optional';
  readonly spec: OptionSpec;
}

export function optionShape(spec: OptionSpec): OptionShape {
  const [, letter, name, open] = FLAGS.exec(spec.flags) ?? [];
  if (name === undefined) throw new Error(`These flags cannot be read: ${spec.flags}`);
  return { name, letter, value: open === undefined ? 'none' : open === '<' ? 'required' : 'optional', spec };
}

const FLAGS = /^(?:-([A-Za-z]), )?--([a-z][a-z0-9-]*)(?: ([<[])[^>\]]+[>\]])?$/;
