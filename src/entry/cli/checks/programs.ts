import { Fault } from '../../../base/fault.ts';
import { type CheckContext, ok, problem, type RunCheck, warning } from './check.ts';

export const checkGit: RunCheck = async (context, signal) => {
  const version = await versionOf('git', context, signal);
  if (version) return ok(version);
  return problem('not found', 'Install git; reference topics are fetched with it.');
};

export const checkGh: RunCheck = async (context, signal) => {
  const version = await versionOf('gh', context, signal);
  if (version) return ok(version);
  return warning('not found', 'Install the GitHub CLI to use private repositories on GitHub.');
};

const TIMEOUT_MS = 3000;

/** The number in what `<program> --version` prints; `undefined` when there is no such program. */
async function versionOf(
  program: string,
  { app, environment }: CheckContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request = {
    command: [program, '--version'] as const,
    directory: '/',
    environment: { PATH: environment.PATH ?? '', HOME: environment.HOME ?? '/' },
    limits: { timeoutMs: TIMEOUT_MS, stdoutBytes: 4096, stderrBytes: 4096 },
  };
  try {
    const { exitCode, timedOut, stdout, stderr } = await app.processes.run(request, signal);
    if (exitCode === 0) return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.split('\n', 1)[0];
    throw new Fault(
      'process/failed',
      timedOut
        ? `"${program} --version" gives no answer within ${TIMEOUT_MS / 1000} s`
        : `"${program} --version" fails: ${stderr.trim() || 'no output'}`,
      { hint: `Run it yourself, and install ${program} again if it does not work.` },
    );
  } catch (error) {
    if (error instanceof Fault && error.code === 'process/not-found') return undefined;
    throw error;
  }
}
