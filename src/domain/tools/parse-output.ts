import { parseJson } from '../../base/json.ts';
import { outcomeFromJson } from './outcome-json.ts';
import { type Outcome, success } from './tool.ts';

/** What a program left behind. */
export interface ToolOutput {
  /** UTF-8; bytes that are not are replaced. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
}

/**
 * An outcome in JSON is taken as it is, whatever the exit code. Other output is the answer itself when the program
 * ended well, and what led to the error when it did not.
 */
export function parseOutput({ stdout, stderr, exitCode }: ToolOutput): Outcome {
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
