/** How an option is written: `-k, --knowledge <topic/glob>` taken apart. */

import type { OptionSpec } from './command.ts';

export interface OptionShape {
  /** Its long name, under which a command reads it. */
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
