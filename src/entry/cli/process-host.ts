import { Fault } from '../../base/fault.ts';
import { lazy } from '../../base/lazy.ts';
import { lazyInterruption } from './interruption.ts';
import { plainOutput } from './plain-output.ts';
import type { CliHost } from './run-cli.ts';

export function processHost(
  host: NodeJS.Process,
  rest: Pick<CliHost, 'words' | 'commands' | 'openApp'>,
): CliHost {
  const guarded = lazy(() => {
    guardOutput(host);
    return host;
  });
  return {
    ...rest,
    environment: host.env,
    get directory() {
      return currentDirectory(host);
    },
    streams: {
      output: plainOutput(1, () => guarded().stdout),
      errors: plainOutput(2, () => guarded().stderr),
      // A getter, since making the stream takes milliseconds and few commands read it.
      get input() {
        return host.stdin;
      },
    },
    interruption: lazyInterruption(host, () => performance.now()),
    onUncaught(report) {
      host.on('uncaughtException', (error) => host.exit(report(error)));
      // Nothing keeps the process alive, yet the command has not returned.
      host.once('beforeExit', () => {
        if (host.exitCode === undefined) host.exit(report(new Error('The command waits for nothing.')));
      });
    },
    onExit: (tidy) => void host.on('exit', tidy),
  };
}

/**
 * Ends the process with this code once its output is written (after a signal: or soon), even if work is left running (an open connection, a
 * check that hangs). Does not exit at once: while V8 compiles in the background, `exit` can wait for a thread that
 * waits for this one.
 */
export function endProcess(host: EndingProcess, code: number): void {
  host.exitCode = code;
  const latest = performance.now() + (code > SIGNALLED ? UNREAD_MS : Number.POSITIVE_INFINITY);
  // With unref the timer fires only if something else keeps the process alive.
  const timer = setInterval(() => {
    const isWritten = host.stdout.writableLength === 0 && host.stderr.writableLength === 0;
    if (isWritten || performance.now() >= latest) host.exit();
  }, GRACE_MS);
  timer.unref();
}

interface EndingProcess {
  exitCode?: NodeJS.Process['exitCode'];
  readonly stdout: Pick<NodeJS.WriteStream, 'writableLength'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'writableLength'>;
  exit(): void;
}

const GRACE_MS = 100;
/** Codes above it are those of a signal. */
const SIGNALLED = 128;
/** A process that was told to end does not wait longer for a reader that does not read. */
const UNREAD_MS = 1_000;

function currentDirectory(host: NodeJS.Process): string {
  try {
    return host.cwd();
  } catch (cause) {
    throw new Fault('files/not-found', 'The current directory does not exist any more.', {
      hint: 'Change to another directory and run the command again.',
      cause,
    });
  }
}

type Output = Pick<NodeJS.WriteStream, 'on'>;

interface GuardedProcess {
  readonly stdout: Output;
  readonly stderr: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  exit(code?: number): void;
}

/**
 * A closed pipe (`ken … | head`) ends the process without an error; a full disk behind `ken … > file` is an error.
 * With a closed standard error, messages are lost and the work goes on.
 */
export function guardOutput(target: GuardedProcess): void {
  target.stderr.on('error', () => {});
  target.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return target.exit();
    // The terminal is gone; the command is told by a signal and saves what it has.
    if (error.code === 'EIO' || error.code === 'ERR_STREAM_DESTROYED') return;
    target.stderr.write(`ken: Standard output cannot be written: ${error.message}.\n`);
    target.exit(1);
  });
}
