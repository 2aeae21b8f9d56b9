/** Starts programs that go on until they are ended, and are spoken to through their standard streams. */
export interface ProcessStarter {
  /**
   * Starts a program in a process group of its own, which dies with this process. A Fault, 'process/not-found' or
   * 'process/failed', when it cannot be started.
   */
  start(request: StartRequest): Promise<RunningProcess>;
}

export interface StartRequest {
  /** The program, looked up in the PATH of `environment`, and its arguments: no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly directory: string;
  /** All it gets; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunningProcess {
  readonly pid: number;
  /** Answers when it is handed over; rejects when the program no longer reads. */
  write(text: string): Promise<void>;
  /** Everything it writes to standard output; to be called once, before it has had time to write. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** The last of what it wrote to standard error, as text. */
  errorTail(): string;
  /** Of the program itself; what it started is then ended too. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Closes its input, gives it a moment, and answers when nothing of its group is left. */
  end(): Promise<void>;
}

export interface ProcessEnd {
  /** Absent when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}
