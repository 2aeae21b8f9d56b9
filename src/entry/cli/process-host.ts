import { Fault } from '../../base/fault.ts';
import { lazyInterruption } from './interruption.ts';
import type { CliHost } from './run-cli.ts';

/** The running process, as the command line sees it. */
export function processHost(
  host: NodeJS.Process,
  rest: Pick<CliHost, 'words' | 'commands' | 'openApp'>,
): CliHost {
  return {
    ...rest,
    environment: host.env,
    get directory() {
      return currentDirectory(host);
    },
    streams: { output: host.stdout, errors: host.stderr, input: host.stdin },
    interruption: lazyInterruption(host, () => performance.now()),
    onUncaught: (report) => void host.on('uncaughtException', (error) => host.exit(report(error))),
  };
}

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
