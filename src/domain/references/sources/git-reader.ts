/**
 * Reads git repositories that nobody has vouched for. Nothing of a repository is executed or checked out,
 * and nothing is followed out of it: neither symbolic links nor submodules.
 */
export interface GitReader {
  /** What opening would bring, told before any content is fetched. */
  survey(source: GitSource, signal: AbortSignal): Promise<GitSurvey>;
  /** The full id of the commit that the source names now. Nothing is fetched. */
  head(source: GitSource, signal: AbortSignal): Promise<string>;
  /** Fetches the listing of a commit, no content. Whoever opens a tree closes it. */
  open(source: GitSource, request: OpenTreeRequest, signal: AbortSignal): Promise<GitTree>;
}

export interface GitSource {
  /** `https:`, `ssh:`, `git:` or `git@host:path`; with `isTyped`, also a path or a `file:` address. */
  readonly url: string;
  /** A branch, else a tag, or a full commit id; absent: the default branch. */
  readonly ref?: string;
  /** What is wanted of it, as `selectFiles` reads them; none: everything. */
  readonly paths: readonly string[];
  /** A person wrote the address, so it may lead to files of this machine. */
  readonly isTyped?: boolean;
}

export interface OpenTreeRequest {
  /** A full commit id, in place of what `ref` names now. */
  readonly commit?: string;
  /** Called now and then while something is received. */
  readonly progress?: (progress: GitProgress) => void;
}

export interface GitProgress {
  readonly receivedBytes: number;
}

export interface GitSurvey {
  /** Full id. */
  readonly commit: string;
  /** How many files would be fetched: those that `paths` and the rules about names let through. */
  readonly files: number;
  /** Of those files, most files first. */
  readonly languages: readonly LanguageCount[];
  /** Entries of `paths` that match nothing. */
  readonly unmatchedPaths: readonly string[];
  /** Of those files. Absent where nobody can tell without fetching them; the limit is then all that is known. */
  readonly bytes?: number;
}

export interface LanguageCount {
  readonly name: string;
  readonly files: number;
}

export interface GitTree {
  /** Full id. */
  readonly commit: string;
  /** In git's order; each path once, and one that `fileNameProblem` has nothing against. */
  readonly files: readonly GitFile[];
  /** Entries that are not listed, since their names are not UTF-8 or cannot be used here. */
  readonly unusableNames: number;
  /**
   * The contents of `files`, regular ones of this tree, in their order; those not here yet are fetched together first.
   * A Fault when they are more files or bytes than the limits allow.
   */
  read(files: readonly GitFile[], request: ReadRequest): AsyncIterable<GitContent>;
  /** May be called again. */
  close(): Promise<void>;
}

export interface GitFile {
  readonly path: string;
  readonly mode: GitMode;
  /** The same oid is the same content, byte for byte. */
  readonly oid: string;
}

/** Regular, executable, symbolic link, submodule. */
export type GitMode = '100644' | '100755' | '120000' | '160000';

export interface ReadRequest {
  /** Files above it come without their bytes. */
  readonly maxFileBytes: number;
}

export interface GitContent {
  readonly file: GitFile;
  readonly sizeBytes: number;
  /** Absent when there are more than `maxFileBytes`, or it is unreadable. */
  readonly bytes: Uint8Array | undefined;
  /** Nobody may read it, or it is gone meanwhile: only of directories, never of a repository. */
  readonly isUnreadable?: true;
}

/** Directories of this machine as trees, read in the same way as those of git. */
export interface LocalDirectories {
  /**
   * Every file below a directory; links are told and never followed. The commit of such a tree is empty, and an oid
   * changes when a file was written to. A Fault when it is no directory that can be read.
   */
  open(directory: string): Promise<GitTree>;
}
