/** Reads untrusted git repositories. Executes and checks out nothing, and follows neither links nor submodules. */
export interface GitReader {
  /** Describes what opening would fetch; fetches no content. */
  survey(source: GitSource, signal: AbortSignal): Promise<GitSurvey>;
  /** Full id of the commit that the source names now. Fetches nothing. */
  head(source: GitSource, signal: AbortSignal): Promise<string>;
  /** Fetches the listing of a commit, no content. The caller closes the tree. */
  open(source: GitSource, request: OpenTreeRequest, signal: AbortSignal): Promise<GitTree>;
}

export interface GitSource {
  /** `https:`, `ssh:`, `git:` or `git@host:path`; with `isTyped`, also a path or a `file:` address. */
  readonly url: string;
  /** A branch, else a tag, or a full commit id; absent: the default branch. */
  readonly ref?: string;
  /** Paths to fetch, in the form that `selectFiles` reads; empty: everything. */
  readonly paths: readonly string[];
  /** The operator typed the address, so it may be a local path. */
  readonly isTyped?: boolean;
}

export interface OpenTreeRequest {
  /** Full commit id to read instead of the one that `ref` names now. */
  readonly commit?: string;
  /** Called repeatedly while data arrives. */
  readonly progress?: (progress: GitProgress) => void;
}

export interface GitProgress {
  readonly receivedBytes: number;
}

export interface GitSurvey {
  readonly commit: string;
  /** Number of files to fetch: those that `paths` and the naming rules select. */
  readonly files: number;
  /** Languages of those files, most frequent first. */
  readonly languages: readonly LanguageCount[];
  /** Entries of `paths` that match nothing. */
  readonly unmatchedPaths: readonly string[];
  /** Size of those files. Absent when it is unknown before fetching; then only the limit is known. */
  readonly bytes?: number;
}

export interface LanguageCount {
  readonly name: string;
  readonly files: number;
}

export interface GitTree {
  readonly commit: string;
  /** In git's order; each path once and accepted by `fileNameProblem`. */
  readonly files: readonly GitFile[];
  /** Number of entries left out because their names are not UTF-8 or not usable. */
  readonly unusableNames: number;
  /** In order; fetches missing objects first, in one batch. Throws a Fault when the files exceed the limits. */
  read(files: readonly GitFile[], request: ReadRequest): AsyncIterable<GitContent>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface GitFile {
  readonly path: string;
  readonly mode: GitMode;
  /** Equal oids mean equal content. */
  readonly oid: string;
}

/** In this order: regular file, executable, symbolic link, submodule. */
export type GitMode = '100644' | '100755' | '120000' | '160000';

export interface ReadRequest {
  /** Larger files come without their bytes. */
  readonly maxFileBytes: number;
}

export interface GitContent {
  readonly file: GitFile;
  readonly sizeBytes: number;
  /** Undefined when the file exceeds `maxFileBytes` or is unreadable. */
  readonly bytes: Uint8Array | undefined;
  /** The file cannot be read or is gone. Only for local directories, never for a repository. */
  readonly isUnreadable?: true;
}

/** Reads local directories as trees, like those of git. */
export interface LocalDirectories {
  /** Lists links without following them. The commit is empty; an oid changes when its file is written. */
  open(directory: string): Promise<GitTree>;
}
