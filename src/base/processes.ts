export interface ProcessRunner {
  /**
   * Runs a program in a process group of its own and resolves when no member of that group is left: what it started
   * and left behind is ended too. (A program that leaves the group on purpose is neither ended nor waited for.)
   * Every end of the program is a result; a program that cannot be started is a Fault, 'process/not-found' or
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
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly limits: ProcessLimits;
}

export interface ProcessLimits {
  /** The group is ended after this wall time. */
  readonly timeoutMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Beyond a byte limit `discard` (the default) keeps the beginning and reads on, `stop` ends the group. */
  readonly overflow?: 'discard' | 'stop';
  /** Time between SIGTERM and SIGKILL; 2000 when absent. */
  readonly graceMs?: number;
}

export interface ProcessResult {
  /** Undefined when a signal ended the program, or it was aborted before it began. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Decoded from UTF-8, up to the limit; a character that the limit cuts is left out. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutRaw: Uint8Array;
  /** Number of bytes read, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** The program wrote more than a limit: the rest was discarded, or the program was stopped. */
  readonly truncated: boolean;
  readonly milliseconds: number;
}

export interface ProcessStarter {
  /** The group ends with this process. A Fault, 'process/not-found' or 'process/failed', when it cannot be started. */
  start(request: StartRequest): Promise<RunningProcess>;
}

export interface StartRequest {
  /** The program, looked up in the PATH of `environment`, and its arguments: no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly directory: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the text is handed over; rejects when the program no longer reads. */
  write(text: string): Promise<void>;
  /** Receives all of standard output. Must be called once, right after the start. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  errorTail(): string;
  /** Resolves when the program itself has ended; the rest of its group is ended then. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Closes its input, waits a moment, ends its group, and resolves when no member is left. */
  end(): Promise<void>;
}

export interface ProcessEnd {
  /** Undefined when a signal ended the program. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

export interface Editor {
  /** Shows `text`, at this line, and returns the edited text; undefined when the editor ended with an error. */
  edit(text: string, name: string, line?: number): Promise<string | undefined>;
  /** Opens the file itself at this line. */
  open(file: string, line: number): Promise<void>;
}

export interface Pager {
  /** The text must be safe for a terminal. False when there is no pager: then nothing was shown. */
  show(text: string): Promise<boolean>;
}

export interface LineRequest {
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  /** Drops what was typed after the line before. Otherwise that is typed now, line by line. */
  readonly isFresh?: boolean;
  /** `typed` is the end of the line that the values replace. */
  complete(line: string): Promise<{ readonly values: readonly string[]; readonly typed: string }>;
}

export type LineAnswer =
  | { readonly type: 'line'; readonly text: string }
  /** Ctrl-C. */
  | { readonly type: 'interrupted'; readonly hadText: boolean }
  /** Ctrl-D, or the terminal is gone. */
  | { readonly type: 'end' };

/** A prompt at which a person types. */
export interface LinePrompt {
  read(request: LineRequest): Promise<LineAnswer>;
}
