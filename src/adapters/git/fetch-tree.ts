import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { ProcessResult } from '../../base/processes.ts';
import {
  type GitLimits,
  noSuchRef,
  tooManyBytes,
  tooManyFiles,
  tooSlow,
} from '../../domain/references/sources/git-faults.ts';
import type {
  GitContent,
  GitFile,
  GitTree,
  OpenTreeRequest,
  ReadRequest,
} from '../../domain/references/sources/git-reader.ts';
import type { Connection } from './connection.ts';
import { gitFault, isUnknownObject } from './git-error.ts';
import { parseListing } from './parse-listing.ts';
import { blobSizes, oidLines, readBlobs } from './read-blobs.ts';
import type { ResolvedRef } from './resolve-ref.ts';
import type { RunGit } from './run-git.ts';
import { removeRepository } from './temporary-repository.ts';

export interface TreeFetch {
  readonly git: RunGit;
  readonly limits: GitLimits;
  readonly connection: Connection;
  /** An empty directory, which closing the tree removes. */
  readonly repository: string;
  readonly progress: OpenTreeRequest['progress'];
}

export async function fetchTree(
  fetch: TreeFetch,
  wanted: ResolvedRef,
  signal: AbortSignal,
): Promise<GitTree> {
  const { connection } = fetch;
  await initialise(fetch, wanted, signal);
  const fetched = await fetchObjects(
    fetch,
    [...SHALLOW, '--filter=blob:none', '--', 'origin', wanted.oid],
    signal,
  );
  if (isUnknownObject(fetched)) throw noSuchRef(connection.url, wanted.commit);
  if (fetched.exitCode !== 0) throw gitFault(connection.url, fetched);
  const commit = (
    await runLocally(fetch, ['rev-parse', '--verify', '--end-of-options', `${wanted.oid}^{commit}`], signal)
  ).stdout.trim();
  const listing = await runLocally(
    fetch,
    ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit],
    signal,
  );
  return {
    commit,
    ...parseListing(listing.stdoutRaw),
    read: (files, request) => readFiles(fetch, { files, request, commit }, signal),
    close: () => removeRepository(fetch.repository),
  };
}

const SHALLOW = [
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
];

/** Enough for half a million files. A few small trees can name billions, so git is stopped here. */
const MAX_LISTING = 64 * 1024 * 1024;

async function initialise(fetch: TreeFetch, { oid }: ResolvedRef, signal: AbortSignal): Promise<void> {
  const format = oid.length === 64 ? ['--object-format=sha256'] : [];
  await runLocally(fetch, ['init', '--quiet', '--bare', '--template=', ...format], signal);
}

/** Runs git without network access. */
async function runLocally(
  { git, limits, connection, repository }: TreeFetch,
  args: readonly string[],
  signal: AbortSignal,
): Promise<ProcessResult> {
  const result = await git(
    {
      args,
      directory: repository,
      timeoutMs: limits.timeoutMs,
      stdoutBytes: MAX_LISTING,
      overflow: 'stop',
    },
    signal,
  );
  if (result.timedOut) throw tooSlow(connection.url, limits);
  if (result.truncated) throw tooManyFiles(connection.url, limits.maxFiles + 1, limits);
  if (result.exitCode !== 0) throw gitFault(connection.url, result);
  return result;
}

async function fetchObjects(
  { git, limits, connection, repository, progress }: TreeFetch,
  args: readonly string[],
  signal: AbortSignal,
  input?: string,
): Promise<ProcessResult> {
  const report = progress && ((receivedBytes: number) => progress({ receivedBytes }));
  const watch = watchSize(repository, { maxBytes: limits.maxBytes, progress: report }, signal);
  try {
    const result = await git(
      {
        args: ['fetch', ...args],
        directory: repository,
        connection: {
          ...connection,
          settings: { ...connection.settings, ...originSettings(connection.url) },
        },
        ...(input === undefined ? {} : { input }),
        timeoutMs: limits.timeoutMs,
      },
      watch.signal,
    );
    if (result.timedOut) throw tooSlow(connection.url, limits);
    return result;
  } catch (error) {
    if (watch.isOverLimit() && !signal.aborted) throw tooManyBytes(connection.url, limits);
    throw error;
  } finally {
    await watch.stop();
  }
}

/** Declares the remote as a promisor, since blobs are fetched later. */
function originSettings(url: string): Record<string, string> {
  return {
    'remote.origin.url': url,
    'remote.origin.promisor': 'true',
    'remote.origin.partialCloneFilter': 'blob:none',
    'fetch.negotiationAlgorithm': 'noop',
  };
}

interface Wanted {
  readonly files: readonly GitFile[];
  readonly request: ReadRequest;
  readonly commit: string;
}

async function* readFiles(
  fetch: TreeFetch,
  { files, request, commit }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<GitContent> {
  const { limits, connection, git, repository } = fetch;
  if (files.length > limits.maxFiles) throw tooManyFiles(connection.url, files.length, limits);
  if (files.length === 0) return;
  const oids = new Set(files.map(({ oid }) => oid));
  await fetchBlobs(fetch, oids, commit, signal);
  const store = { git, directory: repository, timeoutMs: limits.timeoutMs };
  const sizes = await blobSizes(store, oids, signal);
  const { maxFileBytes } = request;
  const readSizes = files.map(({ oid }) => sizes.get(oid) ?? 0).filter((size) => size <= maxFileBytes);
  if (readSizes.reduce((sum, size) => sum + size, 0) > limits.maxBytes)
    throw tooManyBytes(connection.url, limits);
  yield* readBlobs(store, { files, sizes, maxFileBytes }, signal);
}

/** Fetches the blobs at once, or the whole commit from a server that does not send objects by id. */
async function fetchBlobs(
  fetch: TreeFetch,
  oids: ReadonlySet<string>,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const args = [
    ...SHALLOW.filter((arg) => arg !== '--depth=1'),
    '--filter=blob:none',
    '--stdin',
    '--',
    'origin',
  ];
  const fetched = await fetchObjects(fetch, args, signal, oidLines(oids));
  if (fetched.exitCode === 0) return;
  if (!isUnknownObject(fetched)) throw gitFault(fetch.connection.url, fetched);
  const whole = await fetchObjects(
    fetch,
    [...SHALLOW, '--refetch', '--no-filter', '--', 'origin', commit],
    signal,
  );
  if (whole.exitCode !== 0)
    throw new Fault('git/failed', `${fetch.connection.url} does not send its files.`, {
      cause: gitFault(fetch.connection.url, whole),
    });
}

interface SizeWatch {
  /** Aborts when the limit is exceeded or the given signal aborts. */
  readonly signal: AbortSignal;
  isOverLimit(): boolean;
  stop(): Promise<void>;
}

const EVERY_MS = 200;

/** Measures periodically how much a repository has received, because git has no limit of its own. */
function watchSize(
  repository: string,
  limit: { readonly maxBytes: number; readonly progress?: ((bytes: number) => void) | undefined },
  signal: AbortSignal,
): SizeWatch {
  const overLimit = new AbortController();
  const measure = async () => {
    const bytes = await receivedBytes(repository);
    if (bytes > 0) limit.progress?.(bytes);
    if (bytes > limit.maxBytes) overLimit.abort();
  };
  let measuring = Promise.resolve();
  const timer = setInterval(() => {
    measuring = measuring.then(measure);
  }, EVERY_MS);
  return {
    signal: AbortSignal.any([signal, overLimit.signal]),
    isOverLimit: () => overLimit.signal.aborted,
    async stop() {
      clearInterval(timer);
      await measuring.then(measure);
    },
  };
}

async function receivedBytes(repository: string): Promise<number> {
  const packs = path.join(repository, 'objects/pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(packs, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
