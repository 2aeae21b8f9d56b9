/** The files of one topic, read only. Synchronous, because the sandboxed guest cannot wait. */
export interface SubjectFiles {
  /** Every file below the topic's directory, in no particular order. Never throws. */
  list(): Listing;
  /**
   * The first `maxBytes` bytes of a listed file. Never throws, never waits for a writer (a pipe), never leaves the
   * topic's directory through a link unless the topic follows links. The next read may reuse the memory.
   */
  read(path: string, maxBytes: number): FileRead;
  /** Changes whenever the content may have. Undefined where that is unknown: for a link or a file changed just now. */
  stamp?(path: string): string | undefined;
  /** Milliseconds since the epoch at which a file last changed. Undefined for a link; absent for files that never change. */
  changedAt?(path: string): number | undefined;
  /** Real paths of the directories that `list` reads, or of the missing one. Absent for files that never change. */
  directories?(): readonly string[];
}

/** A problem with the directory is reported by `list`. */
export interface TopicFiles {
  open(topic: TopicPlace): Promise<SubjectFiles>;
}

export interface TopicPlace {
  /** Relative to `root`, `/`-separated. */
  readonly directory: string;
  /** Real path of the personal workspace, for a topic of it; absent: the workspace. */
  readonly root?: string;
  readonly followSymlinks: boolean;
  /** Leaves out hidden names, and what `.gitignore` files in the topic's directory ignore. */
  readonly respectsGitignore?: boolean;
  /** A topic that ships with ken: `directory` is relative to ken's own topics. */
  readonly isShipped?: boolean;
}

export interface Listing {
  /** Why there are no files; absent when the directory could be read. */
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
  | 'too-deep'
  | 'too-many'
  | 'unreadable';

export type FileRead =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array /** The size of the whole file. */;
      readonly size: number;
    }
  /** `problem`: why a document has no text, a part of a sentence. */
  | { readonly ok: false; readonly problem?: string };

/** Files of version control and file managers are not subjects, not even hidden ones. */
export function isClutter(name: string): boolean {
  return CLUTTER.has(name);
}

const CLUTTER = new Set(['.DS_Store', '.git', '.gitignore', '.gitkeep', '.hg', '.svn', 'Thumbs.db']);

export function noFiles(problem: DirectoryProblem): SubjectFiles {
  return { list: () => ({ problem, files: [], skipped: [] }), read: () => ({ ok: false }) };
}

/** Whether `list` could return the path: relative, and without a step upwards. */
export function isListablePath(path: string): boolean {
  return (
    !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
