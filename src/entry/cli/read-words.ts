/**
 * Sorts the words after `ken` into command, options with values, and arguments. Never throws: mistakes are part of
 * the result, since help, completion and error messages need the rest.
 */

import type { Command, OptionSpec } from './command.ts';
import { isNamed } from './find-command.ts';
import { GLOBAL_OPTIONS, VERSION_OPTION } from './globals.ts';
import { type OptionShape, optionShape } from './options.ts';

export interface Reading {
  readonly path: readonly Command[];
  /** Options that may be given where the line ends. */
  readonly known: readonly OptionShape[];
  readonly given: readonly GivenOption[];
  readonly operands: readonly string[];
  /** A `--` was read: every word after it is an argument. */
  readonly hasEnded: boolean;
  /** The last word is an option whose value would come next. */
  readonly waiting: OptionShape | undefined;
  readonly mistakes: readonly Mistake[];
}

export interface GivenOption {
  readonly shape: OptionShape;
  readonly written: string;
  readonly value: string | undefined;
}

export interface Mistake {
  readonly kind: 'unknown' | 'needs-value' | 'takes-no-value';
  readonly written: string;
  /** The command that the option was given to; empty before a command's name. */
  readonly path: readonly Command[];
  /** Options that exist there, for suggestions. */
  readonly known: readonly OptionShape[];
}

/** Index of the first word that is neither a global option nor the value of one. */
export function commandIndex(words: readonly string[]): number | undefined {
  const reader = new LineReader([...GLOBAL_OPTIONS, VERSION_OPTION]);
  const index = words.findIndex((word, at) => reader.isOperand(word, words[at + 1]));
  return index === -1 ? undefined : index;
}

/** `command` is named by the word at `index`. Without a command, every argument is an operand. */
export function readWords(words: readonly string[], command?: Command, index?: number): Reading {
  const reader = new LineReader([...GLOBAL_OPTIONS, VERSION_OPTION]);
  for (const [at, word] of words.entries()) {
    if (!reader.isOperand(word, words[at + 1])) continue;
    if (command && at === index) reader.enter(command);
    else reader.takeOperand(word);
  }
  return reader;
}

class LineReader implements Reading {
  readonly path: Command[] = [];
  known: readonly OptionShape[];
  readonly given: GivenOption[] = [];
  readonly operands: string[] = [];
  hasEnded = false;
  waiting: OptionShape | undefined;
  readonly mistakes: Mistake[] = [];

  constructor(options: readonly OptionSpec[]) {
    this.known = options.map(optionShape);
  }

  /** Reads the word as an option, an option's value or `--`; returns true for any other word. */
  isOperand(word: string, next: string | undefined): boolean {
    if (this.waiting) this.takeValue(this.waiting, word);
    else if (this.hasEnded || word === '-' || !word.startsWith('-')) return true;
    else if (word === '--') this.hasEnded = true;
    else if (word.startsWith('--')) this.takeLong(word, next);
    else this.takeLetters(word, next);
    return false;
  }

  /** Enters a subcommand, unless an argument came before its name. */
  takeOperand(word: string): void {
    const subcommands = this.operands.length === 0 ? this.path.at(-1)?.subcommands : undefined;
    const subcommand = subcommands?.find((each) => isNamed(each, word));
    if (subcommand) this.enter(subcommand);
    else this.operands.push(word);
  }

  /** Options given so far must exist in the command as well. */
  enter(command: Command): void {
    this.path.push(command);
    this.known = [...(command.options ?? []), ...GLOBAL_OPTIONS].map(optionShape);
    for (const { shape, written } of this.given)
      if (!this.known.some(({ name }) => name === shape.name)) this.mistake('unknown', written);
  }

  private takeLong(word: string, next: string | undefined): void {
    const [, written = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const shape = this.known.find(({ name }) => `--${name}` === written);
    if (!shape) this.mistake('unknown', written);
    else if (value === undefined) this.takeWithoutValue(shape, written, next);
    else if (shape.value === 'none') this.mistake('takes-no-value', written);
    else this.given.push({ shape, written, value });
  }

  /** `-qv`, `-ckey=value`, `-c=key=value` */
  private takeLetters(word: string, next: string | undefined): void {
    for (let at = 1; at < word.length; at++) {
      const written = `-${word[at]}`;
      const rest = word.slice(at + 1);
      const shape = this.known.find(({ letter }) => letter === word[at]);
      if (shape?.value === 'none') this.given.push({ shape, written, value: undefined });
      else {
        if (!shape) this.mistake('unknown', at === 1 ? word : written);
        else if (rest === '') this.takeWithoutValue(shape, written, next);
        else this.given.push({ shape, written, value: rest.replace(/^=/, '') });
        return;
      }
    }
  }

  /** A word that is itself an option is not taken as a value: the value is missing. */
  private takeWithoutValue(shape: OptionShape, written: string, next: string | undefined): void {
    if (shape.value !== 'required') this.given.push({ shape, written, value: undefined });
    else if (next === undefined || !this.isOption(next)) this.waiting = shape;
    else this.mistake('needs-value', written);
  }

  private takeValue(shape: OptionShape, value: string): void {
    this.waiting = undefined;
    this.given.push({ shape, written: `--${shape.name}`, value });
  }

  private isOption(word: string): boolean {
    return (
      word === '--' ||
      this.known.some(({ name, letter }) => word.replace(/=.*/s, '') === `--${name}` || word === `-${letter}`)
    );
  }

  private mistake(kind: Mistake['kind'], written: string): void {
    this.mistakes.push({ kind, written, path: [...this.path], known: this.known });
  }
}
