import { Fault } from '../../base/fault.ts';
import { lazy } from '../../base/lazy.ts';
import { lazyInterruption } from './interruption.ts';
import { plainOutput } from './plain-output.ts';
import type { CliHost } from './run-cli.ts';

/** The running process, as the command line sees it. */
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
      // Made when somebody reads: few commands do, and it takes milliseconds.
      get input() {
        return host.stdin;
      },
    },
    interruption: lazyInterruption(host, () => performance.now()),
    onUncaught(report) {
      host.on('uncaughtException', (error) => host.exit(report(error)));
      // Nothing is left to do, and the command has not said how it ended.
      host.once('beforeExit', () => {
        if (host.exitCode === undefined) host.exit(report(new Error('The command waits for nothing.')));
      });
    },
    onExit: (tidy) => void host.on('exit', tidy),
  };
}

/**
 * Ends the process with this code once its output is written. What a command left running (a connection that is
 * kept open, a check that hangs) does not keep it alive.
 *
 * Not at once: while V8 compiles in the background, `exit` can wait for a thread that waits for this one.
 */
export function endProcess(host: NodeJS.Process, code: number): void {
  host.exitCode = code;
  // Without unref it would itself keep the process alive; with it, it only strikes when something else does.
  const timer = setInterval(() => {
    if (host.stdout.writableLength === 0 && host.stderr.writableLength === 0) host.exit();
  }, GRACE_MS);
  timer.unref();
}

const GRACE_MS = 100;

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

/** What happens when standard output or standard error cannot be written to. */

type Output = Pick<NodeJS.WriteStream, 'on'>;

interface GuardedProcess {
  readonly stdout: Output;
  readonly stderr: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  exit(code?: number): void;
}

/**
 * A reader that went away (`ken … | head`) is no failure: nobody wants the rest. A disk that is full behind
 * `ken … > file` is one. Without standard error there is nobody to tell, but the work goes on.
 */
export function guardOutput(target: GuardedProcess): void {
  target.stderr.on('error', () => {});
  target.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return target.exit();
    target.stderr.write(`ken: Standard output cannot be written: ${error.message}.\n`);
    target.exit(1);
  });
}
