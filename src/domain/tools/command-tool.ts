/** A tool that is a program: started for each call, in a process group of its own, within limits. */

import { Fault } from '../../base/fault.ts';
import { type JsonObject, parseJson } from '../../base/json.ts';
import type { ProcessResult, ProcessRunner } from '../../base/processes.ts';
import { type CommandWords, commandWords, fillWords, hasPlaceholder } from './command-words.ts';
import { outcomeFromJson } from './outcome-json.ts';
import {
  failure,
  type StandingScope,
  success,
  type Tool,
  type ToolOutcome,
  type ToolRequest,
  type ToolResult,
} from './tool.ts';
import type { CommandEntry, ToolSettings } from './tool-settings.ts';

export interface CommandPorts {
  readonly processes: ProcessRunner;
  /** The whole environment of a tool. */
  readonly toolEnvironment: Readonly<Record<string, string>>;
}

export interface CommandToolInput {
  readonly settings: ToolSettings;
  readonly command: string | CommandEntry;
  readonly tool: string;
  /** Root of the workspace, where the program runs. */
  readonly root: string;
}

const TIMEOUT_MS = 60_000;
const MOST_OUTPUT_BYTES = 16 * 1024 ** 2;
const MOST_ERROR_BYTES = 64 * 1024;

export function commandTool(ports: CommandPorts, input: CommandToolInput): Tool {
  const { settings } = input;
  const parameters = settings.parameters ?? NO_PARAMETERS;
  const owner = `conversation.tools.${settings.name}.command`;
  const words = commandWords(owner, input.command, Object.keys(Object(parameters.properties)));
  return {
    name: settings.name,
    description: settings.description ?? `Runs ${words.words.join(' ')}`,
    parameters,
    reach: 'execute',
    run: settings.run ?? 'ask',
    standingScope: () => standingCommand(words),
    call: (request, signal) => callCommand(ports, { ...input, words }, request, signal),
  };
}

/** Not where a value is itself a program: each of those is read by the operator. */
function standingCommand(command: CommandWords): StandingScope | undefined {
  const { words, shell } = command;
  const isCode = words.some((word, at) => hasPlaceholder(word) && CODE_OPTIONS.has(words[at - 1] ?? ''));
  if (isCode) return undefined;
  const [first, ...others] = words;
  const line = shell ? [`the script ${shownWord(first)}`, ...others.map(shownWord)] : words.map(shownWord);
  const values = others.some(hasPlaceholder) ? ', with any values' : '';
  return { covers: `${line.join(' ')}${values}`, definition: { words, shell } };
}

/** Options behind which interpreters read code. */
const CODE_OPTIONS = new Set([
  '-c',
  '-e',
  '-lc',
  '-ic',
  '-lic',
  '-ec',
  '-p',
  '-pe',
  '--eval',
  '--command',
  '--print',
  'eval',
]);

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

type Prepared = CommandToolInput & { readonly words: CommandWords };

async function callCommand(
  ports: CommandPorts,
  prepared: Prepared,
  request: ToolRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const call = callOf(prepared, request);
  const command = fillWords(prepared.words.words, { arguments: request.arguments, call });
  // Nothing may run before it is approved, so the command line is shown instead of asking the program.
  if (request.action === 'format-arguments') return { outcome: success(command.map(shownWord).join(' ')) };
  // An argument of a program cannot contain NUL.
  if (command.some((word) => word.includes('\0')))
    return { outcome: failure('An argument holds a NUL character.') };
  const timeoutMs = prepared.settings.timeoutMs ?? TIMEOUT_MS;
  const result = await ports.processes.run(
    {
      command,
      shell: prepared.words.shell,
      directory: prepared.root,
      environment: ports.toolEnvironment,
      input: `${JSON.stringify(call)}\n`,
      limits: { timeoutMs, stdoutBytes: MOST_OUTPUT_BYTES, stderrBytes: MOST_ERROR_BYTES, overflow: 'stop' },
    },
    signal,
  );
  return resultOf(prepared, result, timeoutMs);
}

/** The call as JSON, which the program also reads from its standard input. */
function callOf({ tool, root }: Prepared, request: ToolRequest): JsonObject {
  const { labels } = request;
  return {
    tool: { name: tool, arguments: request.arguments, answers: request.answers },
    context: { root, action: request.action, ...(labels && { labels: { ...labels } }) },
  };
}

function resultOf({ settings }: Prepared, result: ProcessResult, timeoutMs: number): ToolResult {
  const { name } = settings;
  if (result.aborted) throw new Fault('tools/cancelled', `"${name}" was stopped before it answered.`);
  if (result.timedOut) {
    throw new Fault('tools/timeout', `"${name}" did not answer within ${timeoutMs / 1000} s.`, {
      hint: `Give it less to do, or raise conversation.tools.${name}.timeout.`,
    });
  }
  if (result.truncated) {
    throw new Fault('process/failed', `"${name}" printed more than a tool may, and was stopped.`);
  }
  const { stdoutRaw: stdout, exitCode, stdoutBytes, stderrBytes, milliseconds } = result;
  return {
    outcome: parseOutput({ stdout, stderr: new TextEncoder().encode(result.stderr), exitCode }),
    receipt: {
      milliseconds,
      filesRead: [],
      filesWritten: [],
      stdoutBytes,
      stderrBytes,
      ...(result.stderr === '' ? {} : { stderr: result.stderr }),
    },
  };
}

function shownWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

interface ToolOutput {
  /** UTF-8; invalid bytes are replaced. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
}

/** Accepts an outcome in JSON whatever the exit code. Other output is the answer, or after a failure its cause. */
export function parseOutput({ stdout, stderr, exitCode }: ToolOutput): ToolOutcome {
  const text = decode(stdout);
  const outcome = outcomeFromJson(parseJson(text));
  if (outcome) return outcome;
  if (exitCode === 0) return success(text);
  const message =
    exitCode === undefined ? 'The tool was ended by a signal.' : `The tool ended with code ${exitCode}.`;
  const trace = [decode(stderr), text].map((part) => part.trim()).filter((part) => part !== '');
  return { type: 'error', message, trace, transient: false };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
