/** Checks of the machine, the account and the programs that ken uses. */

import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { isoTime } from '../../../base/time.ts';
import { type CheckContext, type CheckFinding, ok, problem, warning } from './check.ts';

/** The launcher refuses a Node that ken does not run on. */
export async function checkNode(): Promise<CheckFinding> {
  return ok(process.versions.node);
}

export async function checkGit(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const version = await versionOf('git', context, signal);
  if (version) return ok(version);
  return problem('not found', 'Install git; reference topics are fetched with it.');
}

export async function checkGh(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const version = await versionOf('gh', context, signal);
  if (version) return ok(version);
  return warning('not found', 'Install the GitHub CLI to use private repositories on GitHub.');
}

/** Undefined if the program is not installed. */
async function versionOf(
  program: string,
  { app, environment }: CheckContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request = {
    command: [program, '--version'] as const,
    directory: '/',
    environment: { PATH: app.toolEnvironment.PATH ?? '', HOME: environment.HOME ?? '/' },
    limits: PROGRAM_LIMITS,
  };
  try {
    const { exitCode, timedOut, stdout, stderr } = await app.processes.run(request, signal);
    if (exitCode === 0) return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.split('\n', 1)[0];
    throw new Fault(
      'process/failed',
      timedOut
        ? `"${program} --version" gives no answer within ${PROGRAM_LIMITS.timeoutMs / 1000} s`
        : `"${program} --version" fails: ${stderr.trim() || 'no output'}`,
      { hint: `Run it yourself, and install ${program} again if it does not work.` },
    );
  } catch (error) {
    if (error instanceof Fault && error.code === 'process/not-found') return undefined;
    throw error;
  }
}

export const PROGRAM_LIMITS = { timeoutMs: 3000, stdoutBytes: 4096, stderrBytes: 4096 };

export async function checkDirectories({
  app: { directories, workspace, places },
}: CheckContext): Promise<CheckFinding> {
  const all = [...new Set([...Object.values(directories), ...(workspace ? [workspace.home] : [])])];
  const reasons = await Promise.all(
    all.map(async (directory) => ({ directory, reason: await places.whyNotWritable(directory) })),
  );
  const wrong = reasons.filter(({ reason }) => reason !== undefined);
  if (wrong.length === 0) return ok(`${all.length} can be written to`);
  return problem(
    wrong.map(({ directory, reason }) => `${directory} cannot be written to: ${reason}`).join('; '),
    'Check who owns them, or set KEN_HOME to a directory of yours.',
  );
}

/** Databases grow by copies of themselves while they are rebuilt or backed up. */
export async function checkDisk({
  app: { directories, workspace, places },
}: CheckContext): Promise<CheckFinding> {
  const all = [...new Set([...Object.values(directories), ...(workspace ? [workspace.home] : [])])];
  const free = await Promise.all(
    all.map(async (directory) => ({ directory, bytes: await places.freeBytes(directory) })),
  );
  const { directory, bytes } = free.reduce((least, each) => (each.bytes < least.bytes ? each : least));
  const shown = `${Math.floor(bytes / MIB)} MiB free at ${directory}`;
  if (bytes >= LEAST_FREE_MIB * MIB) return ok(shown);
  return warning(shown, `Free some space: ken needs about ${LEAST_FREE_MIB} MiB to work without trouble.`);
}

const MIB = 1024 * 1024;
const LEAST_FREE_MIB = 200;

/** A clock that is wrong makes what is fresh stale, expires approvals early or late, and mixes up versions. */
export async function checkClock({
  app: { clock, directories, workspace, places },
}: CheckContext): Promise<CheckFinding> {
  const newest = await places.newestChange([
    ...Object.values(directories),
    ...(workspace ? [workspace.home, path.join(workspace.home, 'knowledge')] : []),
  ]);
  const now = clock.now();
  const hint = 'Set the clock; ken dates facts, approvals and what it fetches by it.';
  if (newest === undefined) return ok(isoTime(now));
  const shown = `${newest.path} was changed at ${isoTime(newest.at)}`;
  if (newest.at - now > FUTURE_MS) return warning(`the clock says ${isoTime(now)}, but ${shown}`, hint);
  if (now - newest.at > PAST_MS)
    return warning(`the clock says ${isoTime(now)}, but no file is newer than ${shown}`, hint);
  return ok(isoTime(now));
}

const HOUR_MS = 3_600_000;
const FUTURE_MS = HOUR_MS;
const PAST_MS = 5 * 365 * 24 * HOUR_MS;

/** Says what this system cannot keep a tool from that has broken out of WebAssembly. */
export async function checkSandbox({ app }: CheckContext): Promise<CheckFinding> {
  const { hasNamespaces, hasLimits, endsWithKen } = await app.components.walls();
  const open = [
    ...(hasNamespaces || hasLimits ? [] : ['use the network']),
    ...(hasNamespaces ? [] : ['send signals to your other programs']),
    ...(endsWithKen ? [] : ['go on when ken is killed']),
  ];
  if (open.length === 0) return ok('tools have processes of their own, without files, network or signals');
  return warning(
    `a tool that breaks out of WebAssembly could ${open.join(' and ')}`,
    'On Linux, install util-linux and allow user namespaces; elsewhere, use only tools that you trust.',
  );
}

/** No compiler is not even a warning: only tools written in C need one. */
export async function checkCCompiler({ app }: CheckContext): Promise<CheckFinding> {
  const compiler = await app.toolAuthor.findCCompiler();
  return ok(compiler ?? 'not installed; only tools in C need it');
}
