/** The functions with which a tool talks to ken. They are part of your tool: change them as you like. */

import { getStdout } from 'wasi:cli/stdout@0.2.12';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.12';
import type { Descriptor } from 'wasi:filesystem/types@0.2.12';

export interface Call {
  /** The directory you work in; paths below it can be read, and written where that was allowed. */
  readonly root: string;
  /** Which tool is meant, for components that hold several. */
  readonly name: string;
  /** Answers to earlier questions, by their ids. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export type Outcome =
  | { tag: 'success'; val: string }
  | { tag: 'error'; val: { message: string; trace: string[]; transient: boolean } }
  | { tag: 'needs-input'; val: { id: string; text: string; answerType: string; default?: string } };

export interface Definition<Given> {
  /** The text for the assistant, or any other outcome; not a promise. What you throw becomes an error. */
  run(given: Given, call: Call): string | Outcome;
  /** How a call is shown to a person; the arguments as JSON without it. */
  format?(given: Given): string;
}

/** Makes the function that ken calls. */
export function tool<Given>(definition: Definition<Given>) {
  return (
    context: { readonly root: string; readonly action: string },
    name: string,
    argumentsJson: string,
    answersJson: string,
  ): Outcome => {
    try {
      const given: Given = JSON.parse(argumentsJson);
      if (context.action !== 'run') return success(definition.format?.(given) ?? argumentsJson);
      const outcome = definition.run(given, { root: context.root, name, answers: JSON.parse(answersJson) });
      if (typeof outcome === 'string') return success(outcome);
      if (outcome?.tag) return outcome;
      const isPromise = Object(outcome) instanceof Promise;
      return failure(
        isPromise
          ? 'The tool gave a promise: its function "run" must not be async, and all it can call is synchronous.'
          : `The tool gave neither a text nor an outcome, but ${outcome}.`,
      );
    } catch (error) {
      return error instanceof Error ? failure(error.message, traceOf(error)) : failure(String(error));
    }
  };
}

/** Half a character, which a cut through a text can leave, is replaced: the contract has no place for it. */
export function success(text: string): Outcome {
  return { tag: 'success', val: text.toWellFormed() };
}

export function failure(message: string, trace: string[] = []): Outcome {
  return { tag: 'error', val: { message: message.toWellFormed(), trace, transient: false } };
}

/** Set by "ken tools build": for each line of the built script, the places [column, file, line] it comes from. */
declare global {
  var kenSources: { files: string[]; lines: [number, number, number][][] } | undefined;
}

/** The functions that were running, innermost first, with the files and lines of your sources. */
function traceOf({ stack = '' }: Error): string[] {
  return stack.split('\n').flatMap((frame) => {
    const [, name = '', line = 0, column = 0] = /at (\S*) ?\(?\S*user\.js:(\d+):(\d+)/.exec(frame) ?? [];
    const places = kenSources?.lines[Number(line) - 1] ?? [];
    const place = places.findLast(([start]) => start < Number(column)) ?? places[0];
    const file = place && kenSources?.files[place[1]];
    return place && file && file !== 'ken-tool.ts' ? [`at ${name || 'the tool'} (${file}:${place[2]})`] : [];
  });
}

/** The tool is called again, from its beginning, with the answer in `call.answers[id]`. */
export function ask(id: string, text: string, options?: readonly string[]): Outcome {
  const answerType = options ? JSON.stringify({ select: { options } }) : 'boolean';
  return { tag: 'needs-input', val: { id, text, answerType } };
}

/** `path` is absolute, like `${call.root}/notes.md`. */
export function readText(path: string): string {
  const file = open(path, {}, { read: true });
  let text = '';
  for (let offset = 0; ; ) {
    const [bytes] = file.read(65_536, offset);
    if (bytes.length === 0) return decode(text);
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    offset += bytes.length;
  }
}

export function writeText(path: string, text: string): void {
  const file = open(path, { create: true, truncate: true }, { write: true });
  const bytes = encode(text);
  for (let offset = 0; offset < bytes.length; ) offset += file.write(bytes.subarray(offset), offset);
}

/** The names in a directory, sorted; directories end with a slash. */
export function list(path: string): string[] {
  const entries = open(path, { directory: true }, { read: true }).readDirectory();
  const names: string[] = [];
  for (let entry = entries.readDirectoryEntry(); entry; entry = entries.readDirectoryEntry()) {
    names.push(entry.type === 'directory' ? `${entry.name}/` : entry.name);
  }
  return names.sort();
}

/** Kept in the receipt of the call; the assistant does not see it. */
export function print(text: string): void {
  const bytes = encode(`${text}\n`);
  for (let at = 0; at < bytes.length; at += 4096) {
    getStdout().blockingWriteAndFlush(bytes.subarray(at, at + 4096));
  }
}

function open(
  path: string,
  how: { create?: boolean; truncate?: boolean; directory?: boolean },
  wanted: { read?: boolean; write?: boolean },
): Descriptor {
  for (const [directory, root] of getDirectories()) {
    if (path !== root && !path.startsWith(`${root}/`)) continue;
    try {
      return directory.openAt({ symlinkFollow: true }, path.slice(root.length + 1) || '.', how, wanted);
    } catch (code) {
      throw new Error(`${path}: ${code}`);
    }
  }
  throw new Error(`${path}: not granted to this tool`);
}

// The engine has no TextDecoder and no TextEncoder.
function decode(binary: string): string {
  return decodeURIComponent(escape(binary));
}

function encode(text: string): Uint8Array {
  return Uint8Array.from(unescape(encodeURIComponent(text)), (one) => one.charCodeAt(0));
}
