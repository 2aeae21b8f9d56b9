/** Starts other programs, within limits. */
export interface ProcessRunner {
  /**
   * Runs a program in a process group of its own and answers when nothing of that group is left: what it started
   * and left behind is ended too. (A program that leaves the group on purpose gets away; it is not waited for.)
   * However the program ends is an answer; only one that cannot be started is a Fault, 'process/not-found' or
   * 'process/failed'. When `signal` aborts, the group is ended and `aborted` is true.
   */
  run(request: ProcessRequest, signal?: AbortSignal): Promise<ProcessResult>;
}

export interface ProcessRequest {
  /**
   * The program, looked up in the PATH of `environment`, and its arguments: no shell reads them.
   * With `shell`, the first is a script for /bin/sh and the others are its `$1`, `$2`, ….
   */
  readonly command: readonly [string, ...string[]];
  readonly shell?: boolean;
  readonly directory: string;
  /** All it gets; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** For standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array;
  readonly limits: ProcessLimits;
}

export interface ProcessLimits {
  /** Wall time; then the group is ended. */
  readonly timeoutMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Past a byte limit: `discard` (the default) reads on and keeps the beginning, `stop` ends the group. */
  readonly overflow?: 'discard' | 'stop';
  /** Between SIGTERM and SIGKILL; 2000 unless given. */
  readonly graceMs?: number;
}

export interface ProcessResult {
  /** Absent when a signal ended it, or it was aborted before it began. */
  readonly exitCode: number | undefined;
  /** The name of the signal that ended it. */
  readonly signal: string | undefined;
  /** As UTF-8, at most as many bytes as the limit; a character cut by the limit is left out. */
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes behind `stdout`. */
  readonly stdoutRaw: Uint8Array;
  /** How much it wrote in all, as far as it was read. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** It wrote more than a limit allows: the rest was discarded, or it was stopped for that. */
  readonly truncated: boolean;
  readonly milliseconds: number;
}
