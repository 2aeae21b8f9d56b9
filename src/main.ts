import type { OpenApp } from './app.ts';
import { endProcess, processHost } from './entry/cli/process-host.ts';
import { COMMANDS } from './entry/cli/registry.ts';
import { runCli } from './entry/cli/run-cli.ts';

/** Imported late, so that help and typing errors load no adapter. */
const openApp: OpenApp = async (request) => (await import('./compose.ts')).openApp(request);

/** Node would warn on standard error, at some import, that it prefers FORCE_COLOR; ken does not. */
function preferNoColor({ env }: NodeJS.Process): void {
  if (env.NO_COLOR) delete env.FORCE_COLOR;
}

async function main(): Promise<void> {
  preferNoColor(process);
  const host = processHost(process, { words: process.argv.slice(2), commands: COMMANDS, openApp });
  endProcess(process, await runCli(host));
}

void main();
