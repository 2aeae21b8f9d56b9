/** Reads repositories with git: fetches trees without blobs, then only the blobs that are read. Checks nothing out. */

import type { ProcessRunner } from '../../base/processes.ts';
import type { Clock } from '../../base/time.ts';
import type { ProcessWatch } from '../../domain/approvals/job.ts';
import { checkRef, isCommitId } from '../../domain/references/sources/git-address.ts';
import { type GitLimits, tooManyFiles } from '../../domain/references/sources/git-faults.ts';
import type { GitReader, GitSource } from '../../domain/references/sources/git-reader.ts';
import { checkPaths } from '../../domain/references/sources/match-paths.ts';
import { surveyTree } from '../../domain/references/sources/select-files.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { type Connection, connectTo } from './connection.ts';
import { fetchTree } from './fetch-tree.ts';
import { type GithubCli, githubCli } from './github.ts';
import { resolveRef } from './resolve-ref.ts';
import { gitRunner, type RunGit } from './run-git.ts';
import { createRepository, removeRepository, type TemporaryRepositories } from './temporary-repository.ts';

export interface GitPorts {
  readonly processes: ProcessRunner;
  readonly hosts: HostGuard;
  readonly processWatch: ProcessWatch;
  readonly clock: Clock;
}

export interface GitOptions {
  readonly limits: GitLimits;
  readonly directory: string;
  /** Base of relative paths. */
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function systemGitReader(ports: GitPorts, options: GitOptions): GitReader {
  const context = readerContext(ports, options);
  const reader: GitReader = {
    async head(source, signal) {
      checkSource(source);
      if (source.ref !== undefined && isCommitId(source.ref)) return source.ref;
      const connection = await connect(context, source, signal);
      return withRepository(
        context,
        async (repository) => (await resolveRef(context, { connection, repository }, source, signal)).commit,
      );
    },
    async open(source, request, signal) {
      checkSource(source);
      const connection = await connect(context, source, signal);
      const repository = await createRepository(context.repositories);
      try {
        const requested = request.commit ?? source.ref;
        const wanted =
          requested !== undefined && isCommitId(requested)
            ? { oid: requested, commit: requested }
            : await resolveRef(context, { connection, repository }, source, signal);
        return await fetchTree(
          { ...context, connection, repository, progress: request.progress },
          wanted,
          signal,
        );
      } catch (error) {
        await removeRepository(repository);
        throw error;
      }
    },
    async survey(source, signal) {
      const tree = await reader.open(source, {}, signal);
      try {
        const { survey, selected } = await surveyTree(tree, source.paths);
        if (survey.files > context.limits.maxFiles)
          throw tooManyFiles(source.url, survey.files, context.limits);
        const sizes = await sizesOnGithub(context, source, survey.commit, signal);
        const bytes = sizes && sum(selected.map(({ oid }) => sizes.get(oid)));
        return { ...survey, ...(bytes === undefined ? {} : { bytes }) };
      } finally {
        await tree.close();
      }
    },
  };
  return reader;
}

interface ReaderContext {
  readonly git: RunGit;
  readonly github: GithubCli;
  readonly limits: GitLimits;
  readonly repositories: TemporaryRepositories;
  readonly hosts: HostGuard;
  readonly directory: string;
  readonly home: string;
}

function readerContext(
  { processes, hosts, processWatch, clock }: GitPorts,
  options: GitOptions,
): ReaderContext {
  const { limits, directory, workingDirectory, environment } = options;
  return {
    git: gitRunner(processes, pickVariables(environment, GIT_VARIABLES)),
    github: githubCli(processes, pickVariables(environment, GH_VARIABLES)),
    limits,
    repositories: { directory, watch: processWatch, clock },
    hosts,
    directory: workingDirectory,
    home: environment.HOME ?? '/',
  };
}

/** Variables that git and gh see: to find programs, SSH keys, logins and certificate authorities. */
const GIT_VARIABLES = /^(PATH|TMPDIR|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO)$/;
const GH_VARIABLES =
  /^(PATH|HOME|TMPDIR|XDG_[A-Z_]+|GH_[A-Z_]+|GITHUB_TOKEN|DBUS_SESSION_BUS_ADDRESS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

function pickVariables(environment: GitOptions['environment'], names: RegExp): Record<string, string> {
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

async function connect(context: ReaderContext, source: GitSource, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted();
  const connection = await connectTo(context, source, signal);
  if (connection.githubRepository === undefined) return connection;
  return { ...connection, settings: { ...connection.settings, ...(await context.github.settings(signal)) } };
}

async function withRepository<Value>(
  context: ReaderContext,
  use: (repository: string) => Promise<Value>,
): Promise<Value> {
  const repository = await createRepository(context.repositories);
  try {
    return await use(repository);
  } finally {
    await removeRepository(repository);
  }
}

async function sizesOnGithub(context: ReaderContext, source: GitSource, commit: string, signal: AbortSignal) {
  const { githubRepository } = await connectTo(context, source, signal);
  return githubRepository === undefined ? undefined : context.github.sizes(githubRepository, commit, signal);
}

/** Undefined when one number is missing. */
function sum(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce(
    (total, each) => (total === undefined || each === undefined ? undefined : total + each),
    0,
  );
}
