/** Runs git without the configuration of the machine, the account and the repository. */

import { Fault } from '../../base/fault.ts';
import type { ProcessResult, ProcessRunner } from '../../base/processes.ts';
import type { Connection } from './connection.ts';

export interface GitRun {
  readonly args: readonly string[];
  readonly directory: string;
  /** Git has no network access without it. */
  readonly connection?: Connection;
  readonly input?: string;
  readonly timeoutMs: number;
  readonly stdoutBytes?: number;
  /** Beyond `stdoutBytes` git is stopped; else the rest is discarded. */
  readonly overflow?: 'stop';
}

export type RunGit = (run: GitRun, signal: AbortSignal) => Promise<ProcessResult>;

/** `environment` holds all variables of the operator that git sees. */
export function gitRunner(processes: ProcessRunner, environment: Readonly<Record<string, string>>): RunGit {
  return async (run, signal) => {
    signal.throwIfAborted();
    const result = await start(processes, run, environment, signal);
    signal.throwIfAborted();
    return result;
  };
}

async function start(
  processes: ProcessRunner,
  run: GitRun,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ProcessResult> {
  const { directory, connection, input, timeoutMs, stdoutBytes = 1024 * 1024, overflow = 'discard' } = run;
  try {
    return await processes.run(
      {
        command: ['git', '--literal-pathspecs', '--no-replace-objects', ...run.args],
        directory,
        environment: {
          ...environment,
          ...ISOLATED,
          HOME: directory,
          XDG_CONFIG_HOME: directory,
          GIT_DIR: directory,
          GIT_ALLOW_PROTOCOL: connection?.protocol ?? 'none',
          ...connection?.environment,
          ...configuration({ ...SETTINGS, ...connection?.settings }),
        },
        ...(input === undefined ? {} : { input }),
        limits: { timeoutMs, stdoutBytes, stderrBytes: 64 * 1024, overflow },
      },
      signal,
    );
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'process/not-found') throw cause;
    throw new Fault('git/missing', 'git is not installed.', {
      hint: 'Install git to read repositories.',
      cause,
    });
  }
}

const ISOLATED = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LFS_SKIP_SMUDGE: '1',
};

/** Settings that override the configuration of the repository. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.symlinks': 'false',
  'core.attributesFile': '/dev/null',
  'core.gitProxy': '',
  'credential.helper': '',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'gc.auto': '0',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '60',
  'maintenance.auto': 'false',
  'protocol.version': '2',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
};

/** Passes settings in the environment, because arguments are visible in the list of processes. */
function configuration(settings: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(settings);
  return {
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}
