import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Fault } from '../../base/fault.ts';
import type { StartRequest } from '../../base/processes.ts';
import { findProgram } from './find-program.ts';
import { type ProcessGroup, processGroup } from './process-group.ts';

export interface StartedChild {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
}

/** Starts a program as the leader of a process group of its own. */
export async function startInGroup({ command, directory, environment }: StartRequest): Promise<StartedChild> {
  const [program, ...words] = command;
  const group = processGroup();
  try {
    const env = { ...environment };
    const file = program.includes('/') ? program : findProgram(program, environment.PATH);
    if (file === undefined) throw notOnPath(program);
    const child = spawn(file, words, { cwd: directory, env, detached: true, stdio: 'pipe' });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    group.ledBy(child.pid);
    return { child, group };
  } catch (error) {
    group.forget();
    throw startFault(error, program, directory);
  }
}

function notOnPath(program: string): Error {
  return Object.assign(new Error(`${program} is not on the PATH`), { code: 'ENOENT' });
}

function startFault(error: unknown, program: string, directory: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory();
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return isDirectory ? noSuchProgram(error, program) : noSuchDirectory(error, program, directory);
  }
  const known = PROBLEMS[String(error.code)];
  const { problem, hint } = known ?? { problem: error.message, hint: undefined };
  return new Fault('process/failed', `Cannot run ${program}: ${problem}.`, { hint, cause: error });
}

function noSuchProgram(cause: Error, program: string): Fault {
  const isScript = program.includes('/') && statSync(program, { throwIfNoEntry: false })?.isFile();
  const problem = isScript ? 'the interpreter in its first line does not exist' : 'there is no such program';
  return new Fault('process/not-found', `Cannot run ${program}: ${problem}.`, {
    hint: program.includes('/') ? 'Check its path.' : 'Install it, or check the PATH.',
    cause,
  });
}

function noSuchDirectory(cause: Error, program: string, directory: string): Fault {
  return new Fault('files/not-found', `Cannot run ${program} in ${directory}: there is no such directory.`, {
    hint: 'Create it, or name another.',
    cause,
  });
}

const PROBLEMS: Readonly<Record<string, { readonly problem: string; readonly hint: string }>> = {
  EACCES: {
    problem: 'permission denied',
    hint: 'Check that it is an executable file, and that you may enter the directory it runs in.',
  },
  ENOEXEC: { problem: 'it is not a program for this machine', hint: 'Give a script a first line "#!…".' },
  E2BIG: { problem: 'its arguments and environment are too long', hint: 'Pass long text on standard input.' },
  EAGAIN: { problem: 'there are too many processes', hint: 'End some, or raise the limit (ulimit -u).' },
  EMFILE: { problem: 'too many files are open', hint: 'Close some, or raise the limit (ulimit -n).' },
  ENOMEM: { problem: 'there is not enough memory', hint: 'Free some and try again.' },
  ERR_INVALID_ARG_VALUE: { problem: 'an argument holds a NUL character', hint: 'Leave it out.' },
};
