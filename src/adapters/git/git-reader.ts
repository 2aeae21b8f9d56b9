/** Repositories through git itself: trees without contents first, then the contents that are wanted, no checkout. */

import type { Clock } from '../../base/clock.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import type { ProcessWatch } from '../../domain/approvals/job.ts';
import { checkRef, isCommitId } from '../../domain/references/sources/git-address.ts';
import {
  type GitLimits,
  noSuchRef,
  tooManyFiles,
  tooSlow,
} from '../../domain/references/sources/git-faults.ts';
import type { GitReader, GitSource } from '../../domain/references/sources/git-reader.ts';
import { checkPaths } from '../../domain/references/sources/match-paths.ts';
import { surveyTree } from '../../domain/references/sources/select-files.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { type Connection, connectTo } from './connection.ts';
import { fetchTree } from './fetch-tree.ts';
import { gitFault } from './git-error.ts';
import { type GithubCli, githubCli } from './github.ts';
import { findRef, type NamedCommit, refPatterns } from './resolve-ref.ts';
import { gitRunner, type RunGit } from './run-git.ts';
import { makePlace, type RepositoryPlace, removePlace } from './temporary-repository.ts';

export interface GitPorts {
  readonly processes: ProcessRunner;
  readonly hosts: HostGuard;
  readonly processWatch: ProcessWatch;
  readonly clock: Clock;
}

export interface GitOptions {
  readonly limits: GitLimits;
  /** Where repositories lie while they are read; everything in it is ours. */
  readonly directory: string;
  /** Where a relative path starts. */
  readonly workingDirectory: string;
  /** The operator's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function systemGitReader(ports: GitPorts, options: GitOptions): GitReader {
  const reading = readingOf(ports, options);
  const reader: GitReader = {
    async head(source, signal) {
      checkSource(source);
      if (source.ref !== undefined && isCommitId(source.ref)) return source.ref;
      const connection = await connect(reading, source, signal);
      return inPlace(
        reading,
        async (place) => (await resolve(reading, { connection, place }, source, signal)).commit,
      );
    },
    async open(source, request, signal) {
      checkSource(source);
      const connection = await connect(reading, source, signal);
      const place = await makePlace(reading.place);
      try {
        const asked = request.commit ?? source.ref;
        const wanted =
          asked !== undefined && isCommitId(asked)
            ? { oid: asked, commit: asked }
            : await resolve(reading, { connection, place }, source, signal);
        return await fetchTree({ ...reading, connection, place, progress: request.progress }, wanted, signal);
      } catch (error) {
        await removePlace(place);
        throw error;
      }
    },
    async survey(source, signal) {
      const tree = await reader.open(source, {}, signal);
      try {
        const { survey, selected } = await surveyTree(tree, source.paths);
        if (survey.files > reading.limits.maxFiles)
          throw tooManyFiles(source.url, survey.files, reading.limits);
        const sizes = await sizesOnGithub(reading, source, survey.commit, signal);
        const bytes = sizes && sum(selected.map(({ oid }) => sizes.get(oid)));
        return { ...survey, ...(bytes === undefined ? {} : { bytes }) };
      } finally {
        await tree.close();
      }
    },
  };
  return reader;
}

interface Reading {
  readonly git: RunGit;
  readonly github: GithubCli;
  readonly limits: GitLimits;
  readonly place: RepositoryPlace;
  readonly hosts: HostGuard;
  readonly directory: string;
  readonly home: string;
}

function readingOf({ processes, hosts, processWatch, clock }: GitPorts, options: GitOptions): Reading {
  const { limits, directory, workingDirectory, environment } = options;
  return {
    git: gitRunner(processes, passedOn(environment, GIT_MAY_KNOW)),
    github: githubCli(processes, passedOn(environment, GH_MAY_KNOW)),
    limits,
    place: { directory, watch: processWatch, clock },
    hosts,
    directory: workingDirectory,
    home: environment.HOME ?? '/',
  };
}

/** Besides finding programs: keys of the operator's, and the authorities this machine trusts. */
const GIT_MAY_KNOW = /^(PATH|TMPDIR|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO)$/;
const GH_MAY_KNOW =
  /^(PATH|HOME|TMPDIR|XDG_[A-Z_]+|GH_[A-Z_]+|GITHUB_TOKEN|DBUS_SESSION_BUS_ADDRESS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

function passedOn(environment: GitOptions['environment'], names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value]] : [],
    ),
  );
}

function checkSource({ ref, paths }: GitSource): void {
  checkPaths(paths);
  if (ref !== undefined) checkRef(ref);
}

async function connect(reading: Reading, source: GitSource, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted();
  const connection = await connectTo(reading, source, signal);
  if (connection.onGithub === undefined) return connection;
  return { ...connection, settings: { ...connection.settings, ...(await reading.github.settings(signal)) } };
}

async function inPlace<Answer>(reading: Reading, use: (place: string) => Promise<Answer>): Promise<Answer> {
  const place = await makePlace(reading.place);
  try {
    return await use(place);
  } finally {
    await removePlace(place);
  }
}

async function resolve(
  { git, limits }: Reading,
  { connection, place }: { connection: Connection; place: string },
  { url, ref }: GitSource,
  signal: AbortSignal,
): Promise<NamedCommit> {
  const words = ['ls-remote', '--quiet', '--', connection.url, ...refPatterns(ref)];
  const result = await git(
    { words, directory: place, connection, timeoutMs: limits.timeoutMs, stdoutBytes: MAX_LISTING },
    signal,
  );
  if (result.timedOut) throw tooSlow(url, limits);
  if (result.exitCode !== 0) throw gitFault(url, result);
  const found = findRef(result.stdout, ref);
  if (!found) throw noSuchRef(url, ref ?? 'HEAD');
  return found;
}

const MAX_LISTING = 8 * 1024 * 1024;

async function sizesOnGithub(reading: Reading, source: GitSource, commit: string, signal: AbortSignal) {
  const { onGithub } = await connectTo(reading, source, signal);
  return onGithub === undefined ? undefined : reading.github.sizes(onGithub, commit, signal);
}

/** Nothing, as soon as one number is missing. */
function sum(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce(
    (total, each) => (total === undefined || each === undefined ? undefined : total + each),
    0,
  );
}
