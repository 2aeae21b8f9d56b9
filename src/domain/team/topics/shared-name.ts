/** Which files of a topic may be shared, and be written by a pull: what others wrote must not run or instruct. */

import { fileNameProblem } from '../../references/sources/file-name.ts';

/** Assistants take files of these names as instructions, wherever they lie. */
const INSTRUCTIONS =
  /^(?:agents|claude|gemini|copilot-instructions)(?:\.[^/]*)?\.md$|^\.?(?:cursorrules|clinerules|windsurfrules)$/i;
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$/i;

/** Why the file stays where it is; undefined for one that is shared. */
export function sharedNameProblem(path: string): string | undefined {
  const problem = fileNameProblem(path);
  if (problem) return problem;
  const steps = path.split('/');
  const name = steps.pop() ?? '';
  if (steps.some((step) => step.startsWith('.') || step === 'node_modules')) return 'its directory is hidden';
  if (name.startsWith('.') && !PROSE.test(name)) return 'it is hidden, and no prose';
  return INSTRUCTIONS.test(name) ? 'assistants take it as instructions' : undefined;
}

/** Why a pull does not write to the directory of a topic; undefined when it may. */
export function directoryProblem(directory: string, paths: readonly string[]): string | undefined {
  if (directory === '.ken/kb' || directory.startsWith('.ken/kb/')) return undefined;
  if (directory === '.') return 'it is the repository itself, which git shares';
  if (directory.split('/').some((step) => step.startsWith('.')))
    return `its directory ${directory} is hidden`;
  const code = paths.find((path) => !PROSE.test(path));
  return code === undefined
    ? undefined
    : `${code} would be written to ${directory}, and only prose is pulled outside of .ken/kb`;
}
