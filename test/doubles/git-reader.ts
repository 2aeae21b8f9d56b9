import { createHash } from 'node:crypto';
import { compareCodePoints } from '../../src/base/text.ts';
import {
  type GitLimits,
  noSuchRef,
  noSuchRepository,
  tooManyBytes,
  tooManyFiles,
} from '../../src/domain/references/sources/git-faults.ts';
import type {
  GitContent,
  GitFile,
  GitMode,
  GitReader,
  GitSource,
  GitTree,
} from '../../src/domain/references/sources/git-reader.ts';
import { surveyTree } from '../../src/domain/references/sources/select-files.ts';
import { parseVersionRef, tagsOfVersion } from '../../src/domain/references/sources/version-ref.ts';

export interface MemoryRepository {
  readonly commits: Readonly<Record<string, Readonly<Record<string, MemoryGitFile>>>>;
  /** Ids of commits by name. */
  readonly branches: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly defaultBranch: string;
}

export interface MemoryGitFile {
  readonly mode: GitMode;
  /** The target of a link, or the commit id of a submodule. */
  readonly content: string | Uint8Array;
}

/** `repositories` by address; may change between calls. */
export function memoryGitReader(
  repositories: Readonly<Record<string, MemoryRepository>>,
  limits: GitLimits,
): GitReader {
  const reader: GitReader = {
    async head(source, signal) {
      signal.throwIfAborted();
      return headOf(repositoryAt(repositories, source), source);
    },
    async open(source, request, signal) {
      signal.throwIfAborted();
      const repository = repositoryAt(repositories, source);
      const commit = request.commit ?? headOf(repository, source);
      const files = repository.commits[commit];
      if (!files) throw noSuchRef(source.url, commit);
      return treeOf({ commit, files, url: source.url, limits, signal });
    },
    async survey(source, signal) {
      const { survey } = await surveyTree(await reader.open(source, {}, signal), source.paths);
      if (survey.files > limits.maxFiles) throw tooManyFiles(source.url, survey.files, limits);
      return survey;
    },
  };
  return reader;
}

function repositoryAt(
  repositories: Readonly<Record<string, MemoryRepository>>,
  { url }: GitSource,
): MemoryRepository {
  const repository = repositories[url];
  if (!repository) throw noSuchRepository(url);
  return repository;
}

function headOf(
  { branches, tags, commits, defaultBranch }: MemoryRepository,
  { url, ref }: GitSource,
): string {
  const wanted = ref ?? defaultBranch;
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(wanted) ?? [];
  const version = parseVersionRef(wanted);
  const commit = version
    ? tagsOfVersion(version).flatMap((tag) => tags[tag] ?? [])[0]
    : kind === undefined
      ? (branches[wanted] ?? tags[wanted] ?? (commits[wanted] && wanted))
      : (kind === 'heads' ? branches : tags)[name];
  if (commit === undefined) throw noSuchRef(url, wanted);
  return commit;
}

interface TreeRequest {
  readonly commit: string;
  readonly files: Readonly<Record<string, MemoryGitFile>>;
  readonly url: string;
  readonly limits: GitLimits;
  readonly signal: AbortSignal;
}

function treeOf({ commit, files, url, limits, signal }: TreeRequest): GitTree {
  const listed = Object.entries(files)
    .map(([path, file]): GitFile => ({ path, mode: file.mode, oid: oidOf(file) }))
    .sort((a, b) => compareCodePoints(a.path, b.path));
  return {
    commit,
    files: listed,
    unusableNames: 0,
    async *read(wanted, { maxFileBytes }) {
      if (wanted.length > limits.maxFiles) throw tooManyFiles(url, wanted.length, limits);
      const contents = wanted.map((file) => contentOf(file, files[file.path], maxFileBytes));
      const sum = contents.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
      if (sum > limits.maxBytes) throw tooManyBytes(url, limits);
      for (const content of contents) {
        signal.throwIfAborted();
        yield content;
      }
    },
    close: async () => {},
  };
}

function contentOf(file: GitFile, stored: MemoryGitFile | undefined, maxFileBytes: number): GitContent {
  const bytes = Buffer.from(stored?.content ?? '');
  return { file, sizeBytes: bytes.length, bytes: bytes.length > maxFileBytes ? undefined : bytes };
}

function oidOf({ mode, content }: MemoryGitFile): string {
  if (mode === '160000') return String(content);
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
