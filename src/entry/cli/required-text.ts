import { Fault } from '../../base/fault.ts';
import type { Options } from './options.ts';

/** Of an option that a command cannot do without. */
export function requiredText<Name extends string>(options: Options<Name>, name: Name): string {
  const text = options.text(name);
  if (text !== undefined) return text;
  throw new Fault('cli/usage', `--${name} is missing.`, { hint: 'See "--help" for an example.' });
}
