/** Reads topics of a workspace from directories on disk. */

import { closeSync, type Dirent, fstatSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInBinary, packageFile } from '../../base/package-files.ts';
import { type DocumentFormat, documentFormat, MAX_DOCUMENT_BYTES } from '../../base/text.ts';
import type { DocumentText } from '../../domain/chunks/document-text.ts';
import type { IgnoreRules } from '../../domain/knowledge-base/gitignore.ts';
import type { TopicDirectories } from '../../domain/knowledge-base/learn/sandboxed-learn.ts';
import {
  type DirectoryProblem,
  type FileRead,
  isListablePath,
  noFiles,
  type SubjectFiles,
  type TopicFiles,
} from '../../domain/knowledge-base/subject-files.ts';
import {
  type DirectoryEntry,
  type DirectoryReader,
  type LinkTarget,
  walkFiles,
} from '../../domain/knowledge-base/walk-files.ts';
import { type Anchor, atDirectory } from '../paths/anchor.ts';
import { inDirectory, inListedDirectory, openFile, openListedFileIn } from '../paths/open-path.ts';
import { isInside, linkFreePath, realPath } from '../paths/real-path.ts';
import { cachedListings, isSettled, statsOf, type WalkObserver } from './cached-listings.ts';

/** Real paths outside the workspace that the operator lets topics with `followSymlinks` read, with all below them. */
export type OutsidePaths = (workspaceRoot: string) => Promise<readonly string[]>;

/** Reads documents that are no text; loaded when a topic has one. */
export type LoadDocuments = () => Promise<(format: DocumentFormat, bytes: Uint8Array) => DocumentText>;

/** `workspaceRoot` is a real path; without a workspace no topic has a directory. */
export function topicFilesOnDisk(
  workspaceRoot: string | undefined,
  now: () => number = Date.now,
  outside: OutsidePaths = async () => [],
  loadDocuments?: LoadDocuments,
): TopicFiles {
  const listings = cachedListings(now);
  const ignoringListings = cachedListings(now);
  return {
    async open({ directory, followSymlinks, isShipped, respectsGitignore = false, root: named }) {
      if (isShipped && isInBinary) {
        const { shippedSubjects } = await import('../../domain/knowledge-base/shipped-subjects.ts');
        return shippedSubjects(directory);
      }
      const root = isShipped ? shippedRoot() : (named ?? workspaceRoot);
      if (root === undefined) return noFiles('missing');
      const allowed = followSymlinks ? [root, ...(await outside(root))] : undefined;
      const found = findDirectory(root, directory, allowed);
      if (!found.ok)
        return { ...noFiles(found.problem), directories: () => placesToWatch(root, directory, found) };
      const places = realPlaces(root, found.root, allowed);
      const cached = respectsGitignore ? ignoringListings : listings;
      const ignoring = respectsGitignore
        ? await import('../../domain/knowledge-base/gitignore.ts')
        : undefined;
      const reader = (observer: WalkObserver) => {
        const all = directoryReader(places, observer);
        return ignoring ? ignoringReader(all, { places, observer, rules: ignoring.ignoreRules() }) : all;
      };
      const list = () => cached(found.root, (observer) => walkFiles(reader(observer)));
      const readText = (file: string, maxBytes: number) => readListed(places, file, maxBytes);
      let opening = loadDocuments && list();
      const documents = opening?.files.some(documentFormat) ? await loadDocuments?.() : undefined;
      return {
        /** The walk that looked for documents serves the first caller too. */
        list() {
          const listing = opening ?? list();
          opening = undefined;
          return listing;
        },
        read: documents ? (file, maxBytes) => readDocument(documents, readText, file, maxBytes) : readText,
        stamp: (file) => stampOf(places, file, now()),
        changedAt: (file) => changeOf(places, file),
        directories() {
          const entered: string[] = [];
          walkFiles(reader({ entering: (real) => entered.push(real), untracked() {} }));
          return entered;
        },
      };
    },
  };
}

/** A document as the beginning of its text, and the size of the whole text. */
function readDocument(
  documents: Awaited<ReturnType<LoadDocuments>>,
  readFile: SubjectFiles['read'],
  file: string,
  maxBytes: number,
): FileRead {
  const format = documentFormat(file);
  if (!format) return readFile(file, maxBytes);
  const found = readFile(file, MAX_DOCUMENT_BYTES);
  if (!found.ok) return found;
  if (found.size > MAX_DOCUMENT_BYTES)
    return { ok: false, problem: `it is larger than ${MAX_DOCUMENT_BYTES / 1024 ** 2} MiB` };
  const read = documents(format, found.bytes);
  if (!read.ok) return read;
  const text = Buffer.from(read.text);
  return { ok: true, bytes: text.subarray(0, maxBytes), size: text.length };
}

export interface OutsideLink {
  /** Relative to the workspace. */
  readonly link: string;
  readonly real: string;
}

/** Every link out of the workspace that a topic with `followSymlinks` would follow, those behind other links included. */
export async function outsideLinks(workspaceRoot: string, directory: string): Promise<OutsideLink[]> {
  const found = new Map<string, string>();
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    const files = topicFilesOnDisk(workspaceRoot, undefined, async () => [...found.values()]);
    const { problem, skipped } = (await files.open({ directory, followSymlinks: true })).list();
    const links = [
      ...(problem === 'outside' ? [directory] : []),
      ...skipped
        .filter(({ reason }) => reason === 'link-outside')
        .map((each) => path.posix.join(directory, each.path)),
    ].filter((link) => !found.has(link));
    if (links.length === 0) break;
    for (const link of links) found.set(link, realPath(path.join(workspaceRoot, link)));
  }
  return [...found].map(([link, real]) => ({ link, real }));
}

const MOST_ROUNDS = 20;

/** A topic with documents has no directory for the sandbox, which reads text alone. */
export function topicDirectoriesOnDisk(
  workspaceRoot: string | undefined,
  topicFiles: TopicFiles = topicFilesOnDisk(workspaceRoot),
): TopicDirectories {
  return {
    async find(place) {
      const { directory, followSymlinks, isShipped } = place;
      // What is in the binary has no directory, and is read without a sandbox; so is what lies outside of the workspace.
      if ((isShipped && isInBinary) || place.root !== undefined) return undefined;
      const root = isShipped ? shippedRoot() : workspaceRoot;
      if (root === undefined) return undefined;
      if (followSymlinks) return undefined;
      const found = findDirectory(root, directory, undefined);
      if (found.ok && (await topicFiles.open(place)).list().files.some(documentFormat)) return undefined;
      return found.ok ? { hostPath: found.root, within: root } : undefined;
    },
  };
}

function shippedRoot(): string {
  return realpathSync(fileURLToPath(packageFile('skills')));
}

/** A topic's directory that may be made later. Nothing is looked at outside of the workspace. */
function placesToWatch(
  root: string,
  directory: string,
  { problem }: Extract<FoundDirectory, { ok: false }>,
): readonly string[] {
  return problem === 'missing' ? [path.join(root, directory)] : [];
}

type FoundDirectory =
  | { readonly ok: true; readonly root: string }
  | { readonly ok: false; readonly problem: DirectoryProblem };

/** `allowed`: links are followed to these directories; without it, only within the workspace and step by step. */
function findDirectory(
  workspaceRoot: string,
  directory: string,
  allowed: readonly string[] | undefined,
): FoundDirectory {
  try {
    const named = path.join(workspaceRoot, directory);
    const root = allowed ? realPathIn(allowed, named) : linkFreePath(workspaceRoot, named);
    if (root === undefined) return { ok: false, problem: 'outside' };
    return statSync(root).isDirectory() ? { ok: true, root } : { ok: false, problem: 'not-a-directory' };
  } catch (error) {
    return { ok: false, problem: MISSING.has(codeOf(error)) ? 'missing' : 'unreadable' };
  }
}

function realPathIn(allowed: readonly string[], named: string): string | undefined {
  const real = realpathSync.native(named);
  return allowed.some((directory) => isInside(real, directory)) ? real : undefined;
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Maps paths of a topic to real paths. Undefined for paths that do not exist or must not be entered. */
interface RealPlaces {
  /** Cached, so that the files of a directory are opened without following its links again. */
  directory(relative: string): string | undefined;
  /** Follows all links, at every call. */
  target(relative: string): 'broken' | 'outside' | { readonly real: string };
}

/** Links may lead through the whole workspace, but only to what is below the topic's `root`. */
function realPlaces(workspaceRoot: string, root: string, allowed: readonly string[] | undefined): RealPlaces {
  const directories = new Map<string, string | undefined>([['', root]]);
  const target: RealPlaces['target'] = (relative) => {
    const parent = directory(parentOf(relative));
    if (parent === undefined) return 'broken';
    try {
      const named = path.join(parent, path.posix.basename(relative));
      const real = allowed ? realPathIn(allowed, named) : linkFreePath(workspaceRoot, named);
      return real !== undefined && (allowed || isInside(real, root)) ? { real } : 'outside';
    } catch {
      return 'broken';
    }
  };
  const directory: RealPlaces['directory'] = (relative) => {
    if (directories.has(relative)) return directories.get(relative);
    const found = target(relative);
    const real = typeof found === 'string' ? undefined : found.real;
    directories.set(relative, real);
    return real;
  };
  return { target, directory };
}

/** Resolves only links: an entry that was listed as a directory is one, in the real path of its parent. */
function directoryReader(places: RealPlaces, observer: WalkObserver): DirectoryReader {
  const walked = new Map<string, string | undefined>([['', places.directory('')]]);
  const placeOf = (directory: string) => {
    if (walked.has(directory)) return walked.get(directory);
    const parent = walked.get(parentOf(directory));
    const real = parent === undefined ? undefined : path.join(parent, path.posix.basename(directory));
    walked.set(directory, real);
    return real;
  };
  return {
    entries(directory) {
      const real = placeOf(directory);
      if (real === undefined) return undefined;
      observer.entering(real);
      try {
        return readEntries(real);
      } catch {
        observer.untracked();
        return undefined;
      }
    },
    follow(link) {
      observer.untracked();
      walked.set(link, places.directory(link));
      return followLink(places, link);
    },
    identity: (directory) => placeOf(directory) ?? directory,
  };
}

const MAX_GITIGNORE_BYTES = 256 * 1024;

/** Leaves out hidden names and what `.gitignore` files name. A change of such a file is seen at the next listing. */
function ignoringReader(
  reader: DirectoryReader,
  {
    places,
    observer,
    rules,
  }: {
    readonly places: RealPlaces;
    readonly observer: WalkObserver;
    readonly rules: IgnoreRules;
  },
): DirectoryReader {
  return {
    ...reader,
    entries(directory) {
      const entries = reader.entries(directory);
      if (entries?.some(({ name, kind }) => name === '.gitignore' && kind === 'file')) {
        observer.untracked();
        const file = directory === '' ? '.gitignore' : `${directory}/.gitignore`;
        const read = readListed(places, file, MAX_GITIGNORE_BYTES);
        if (read.ok) rules.add(directory, Buffer.from(read.bytes).toString('utf8'));
      }
      return entries?.filter(
        ({ name, kind }) => !name.startsWith('.') && !rules.ignores(directory, name, kind === 'directory'),
      );
    },
  };
}

function parentOf(relative: string): string {
  const slash = relative.lastIndexOf('/');
  return slash === -1 ? '' : relative.slice(0, slash);
}

function readEntries(directory: string): DirectoryEntry[] {
  return inDirectory(directory, (anchor) => {
    const entries = atDirectory(anchor, (at) => readdirSync(at, { withFileTypes: true }));
    // A name that is not UTF-8 is decoded with replacement characters; its bytes show whether it really has some.
    if (entries.some(({ name }) => name.includes('\ufffd'))) return readRawEntries(anchor);
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  });
}

function readRawEntries(anchor: Anchor): DirectoryEntry[] {
  const entries = atDirectory(anchor, (at) => readdirSync(at, { withFileTypes: true, encoding: 'buffer' }));
  return entries.map((entry) => {
    const name = entry.name.toString();
    return { name, kind: Buffer.from(name).equals(entry.name) ? kindOf(entry) : 'name-not-utf8' };
  });
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function followLink(places: RealPlaces, link: string): LinkTarget {
  const found = places.target(link);
  if (typeof found === 'string') return found;
  const stats = statSync(found.real, { throwIfNoEntry: false });
  if (!stats) return 'broken';
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

function readListed(places: RealPlaces, file: string, maxBytes: number): FileRead {
  if (!isListablePath(file)) return { ok: false };
  const directory = places.directory(parentOf(file));
  if (directory === undefined) return { ok: false };
  try {
    const name = file.slice(file.lastIndexOf('/') + 1);
    return readStart(
      inListedDirectory(directory, (anchor) => openListedFileIn(anchor, name)),
      maxBytes,
    );
  } catch {
    // A link, perhaps.
  }
  const found = places.target(file);
  try {
    if (typeof found === 'string') return { ok: false };
    const descriptor = openFile(found.real);
    return readStart({ descriptor, stats: fstatSync(descriptor) }, maxBytes);
  } catch {
    return { ok: false };
  }
}

function changeOf(places: RealPlaces, file: string): number | undefined {
  const stats = statsIn(places, file);
  return stats?.isFile() ? Number(stats.mtimeMs) : undefined;
}

function statsIn(places: RealPlaces, file: string) {
  const directory = isListablePath(file) ? places.directory(parentOf(file)) : undefined;
  return directory === undefined
    ? undefined
    : statsOf(`${directory}/${file.slice(file.lastIndexOf('/') + 1)}`);
}

function stampOf(places: RealPlaces, file: string, nowMs: number): string | undefined {
  const stats = statsIn(places, file);
  if (!stats?.isFile() || !isSettled(stats, nowMs)) return undefined;
  return [stats.dev, stats.ino, stats.size, stats.ctimeNs].join('-');
}

/** Reused for files that fit: allocating memory for each of ten thousand costs more than reading them. */
const SCRATCH = new Uint8Array(64 * 1024);

function readStart({ descriptor, stats }: ReturnType<typeof openListedFileIn>, maxBytes: number): FileRead {
  try {
    const length = Math.min(stats.size, maxBytes);
    const bytes = length <= SCRATCH.length ? SCRATCH.subarray(0, length) : new Uint8Array(length);
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return { ok: true, bytes: bytes.subarray(0, filled), size: stats.size };
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
