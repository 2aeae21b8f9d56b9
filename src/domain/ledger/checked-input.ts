import { Fault } from '../../base/fault.ts';

/** One of the choices, or undefined when nothing was given. */
export function checkedChoice<Choice extends string>(
  name: string,
  given: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new Fault('ledger/invalid', `Invalid ${name} '${given}'. Expected ${choices.join('|')}`);
}

/** As it is, as long as there is something in it that can be stored and read back. */
export function requireText(name: string, text: string): string {
  if (text.trim() === '') throw new Fault('ledger/invalid', `The ${name} must not be empty.`);
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw new Fault('ledger/invalid', `The ${name} must be text: it has characters that cannot be stored.`);
}
