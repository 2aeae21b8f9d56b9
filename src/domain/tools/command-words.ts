/** `prog {{argument}}`: split into words before values are filled in, so that no value becomes a second word. */

import { Fault } from '../../base/fault.ts';
import { type Json, type JsonObject, memberOf } from '../../base/json.ts';
import { splitCommand } from '../../base/shell-words.ts';
import type { CommandEntry } from './tool-settings.ts';

export interface CommandWords {
  /** The program first; with `shell`, a script. */
  readonly words: readonly [string, ...string[]];
  readonly shell: boolean;
}

/** `owner` is the config key; `known` are the names of the parameters. */
export function commandWords(
  owner: string,
  command: string | CommandEntry,
  known: readonly string[],
): CommandWords {
  const { words, shell } = readCommand(owner, command);
  const [first, ...others] = words;
  if (first === undefined)
    throw invalid(owner, 'names no program', 'Write command = "program {{argument}}".');
  // The shell would read a value inside a script as code.
  if (placeholders(first).length > 0) {
    throw invalid(
      owner,
      shell ? 'has a placeholder in its script' : 'has a placeholder in the name of its program',
      shell ? 'Put it into args and write "$1" in the script.' : 'Put it behind the program.',
    );
  }
  const unknown = others.flatMap(placeholders).find((name) => !isKnown(name, known));
  if (unknown !== undefined) {
    throw invalid(owner, `mentions {{${unknown}}}, which is not a parameter`, 'Add it to parameters.');
  }
  return { words: [first, ...others], shell };
}

/** Values of the placeholders: the arguments by name, and the whole call. */
export interface CommandValues {
  readonly arguments: JsonObject;
  readonly call: JsonObject;
}

/** Leaves out a word with an argument that was not given. */
export function fillWords(
  [program, ...others]: CommandWords['words'],
  values: CommandValues,
): readonly [string, ...string[]] {
  return [program, ...others.flatMap((word) => fillWord(word, values))];
}

function fillWord(word: string, values: CommandValues): string[] {
  const names = placeholders(word);
  if (names.some((name) => valueNamed(name, values) === undefined)) return [];
  return [word.replace(PLACEHOLDER, (_, name: string) => asText(valueNamed(name, values) ?? null))];
}

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

export function hasPlaceholder(word: string): boolean {
  return placeholders(word).length > 0;
}

function placeholders(word: string): string[] {
  return [...word.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** A parameter, else a path into the call: `tool`, `tool.arguments.NAME`, `context.root`, `context.labels.KEY`. */
function valueNamed(name: string, values: CommandValues): Json | undefined {
  const own = memberOf(values.arguments, name);
  if (own !== undefined) return own;
  return name.split('.').reduce<Json | undefined>(memberOf, values.call);
}

function isKnown(name: string, known: readonly string[]): boolean {
  if (known.includes(name)) return true;
  const [, argument] = /^tool\.arguments\.(.+)$/.exec(name) ?? [];
  if (argument !== undefined) return known.includes(argument);
  return /^(?:tool|tool\.(?:name|arguments|answers)|context|context\.(?:root|action|labels|labels\.[\w-]+))$/.test(
    name,
  );
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readCommand(
  owner: string,
  command: string | CommandEntry,
): { words: readonly string[]; shell: boolean } {
  if (typeof command !== 'string') {
    return { words: [command.program, ...command.args], shell: command.shell };
  }
  // Blanks inside the braces belong to the placeholder.
  const words = splitCommand(command.replace(PLACEHOLDER, '{{$1}}'));
  if (!words) throw invalid(owner, 'has an unbalanced quote', 'Close it.');
  return { words, shell: false };
}

function invalid(owner: string, what: string, hint: string): Fault {
  return new Fault('config/invalid', `${owner} ${what}.`, { hint });
}
