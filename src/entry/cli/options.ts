import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { OptionSpec } from './command.ts';

/**
 * Options are read by their long names: `knowledge`, `no-color`. `Name` is the names that can be read, `Valued` those
 * that take a value. Functions as properties keep TypeScript from accepting options with fewer names than are read.
 */
export interface Options<Name extends string = never, Valued extends string = Name> {
  readonly has: (name: Name) => boolean;
  /** The last one given. */
  readonly text: (name: Valued) => string | undefined;
  readonly texts: (name: Valued) => readonly string[];
  /** In the order of the line, for options that refer to the one before them. */
  readonly inOrder: <Asked extends Valued>(
    ...names: readonly Asked[]
  ) => readonly { readonly name: Asked; readonly value: string }[];
  /** A whole number of at least `from`; throws a usage Fault for anything else. */
  readonly count: (name: Valued, from?: number) => number | undefined;
}

/** `knowledge` of `-k, --knowledge <topic/glob>`. Flags unknown to the compiler have no name. */
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

export function requiredText<Name extends string>(options: Options<Name>, name: Name): string {
  const text = options.text(name);
  if (text !== undefined) return text;
  throw new Fault('cli/usage', `--${name} is missing.`, { hint: 'See "--help" for an example.' });
}

export interface OptionShape {
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

/** The options for labels that several commands have. */
export const LABEL = {
  flags: '--label <label>',
  summary: 'set k=v, k, :alias, or remove k-',
  repeatable: true,
  complete: 'labels',
} as const satisfies OptionSpec;

export const LABEL_SELECTOR = {
  flags: '--label <selector>',
  summary: 'only with matching labels',
  repeatable: true,
  complete: 'labels',
} as const satisfies OptionSpec;

/** For commands that write data to standard output where no file is named. */
export const OUTPUT = {
  flags: '--output <file>',
  summary: 'write to a new file, never over one that exists; "-" is standard output',
} as const satisfies OptionSpec;

/** An absolute path; undefined for standard output. */
export function outputFile({ text }: Options<'output'>, directory: string): string | undefined {
  const file = text('output');
  return file === undefined || file === '-' ? undefined : path.resolve(directory, file);
}
