/**
 * The files of one topic, read only. Everything `learn` says is made from these two calls, here as well as
 * inside a sandbox; they are synchronous because a guest has nothing to wait with.
 */
export interface SubjectFiles {
  /** Every file below the topic's directory, in no particular order. Never throws. */
  list(): Listing;
  /**
   * The first `maxBytes` bytes of a listed file, fewer when it is shorter. Never throws, never waits for a
   * writer (a pipe), never leaves the topic's directory through a link unless the topic follows links. The next read
   * may put other bytes into the same memory.
   */
  read(path: string, maxBytes: number): FileRead;
  /**
   * Another one whenever the content of a listed file may be another. Nothing where that cannot be told: of a link, of
   * what was changed a moment ago. Absent where it is never known.
   */
  stamp?(path: string): string | undefined;
}

/** Opens a topic's files. `list` reports a problem with its directory. */
export interface TopicFiles {
  open(topic: TopicPlace): Promise<SubjectFiles>;
}

export interface TopicPlace {
  /** Relative to the workspace root, `/`-separated. */
  readonly directory: string;
  readonly followSymlinks: boolean;
  /** A topic that ships inside ken: `directory` is relative to its place there. */
  readonly isShipped?: boolean;
}

export interface Listing {
  /** Why there are no files at all; absent when the directory could be read. */
  readonly problem?: DirectoryProblem;
  /** Relative to the topic's directory, `/`-separated. A followed link is listed under its own name. */
  readonly files: readonly string[];
  readonly skipped: readonly SkippedPath[];
}

export type DirectoryProblem = 'missing' | 'not-a-directory' | 'outside' | 'unreadable';

export interface SkippedPath {
  /** As near to the real name as text can be. */
  readonly path: string;
  readonly reason: SkipReason;
}

export type SkipReason =
  | 'link-broken'
  | 'link-loop'
  | 'link-outside'
  | 'name-not-utf8'
  | 'not-a-file'
  | 'too-many'
  | 'unreadable';

export type FileRead =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array /** The size of the whole file. */;
      readonly size: number;
    }
  | { readonly ok: false };

/** Files of version control and file managers are no subjects, not even hidden ones. */
export function isClutter(name: string): boolean {
  return CLUTTER.has(name);
}

const CLUTTER = new Set(['.DS_Store', '.git', '.gitignore', '.gitkeep', '.hg', '.svn', 'Thumbs.db']);

/** The files of a topic whose directory cannot be used. */
export function noFiles(problem: DirectoryProblem): SubjectFiles {
  return { list: () => ({ problem, files: [], skipped: [] }), read: () => ({ ok: false }) };
}

/** A path that `list` could have given: nothing in it leads upwards or starts elsewhere. */
export function isListablePath(path: string): boolean {
  return (
    !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
