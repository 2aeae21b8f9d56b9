import type { OpenApp } from './app.ts';
import { VERSION } from './base/version.ts';
import { guardOutput } from './entry/cli/guard-output.ts';

const words = process.argv.slice(2);

/** Imported late, so that help and typing errors load no adapter. */
const openApp: OpenApp = async (request) => (await import('./compose.ts')).openApp(request);

/** Straight to the file descriptor, if that works: the streams, or an import of node:fs, take a tenth of the start. */
function printVersion(): void {
  try {
    process.getBuiltinModule('node:fs').writeSync(1, `${VERSION}\n`);
  } catch {
    guardOutput(process);
    process.stdout.write(`${VERSION}\n`);
  }
}

/** Node would warn on standard error, at some import, that it prefers FORCE_COLOR; ken does not. */
function preferNoColor({ env }: NodeJS.Process): void {
  if (env.NO_COLOR) delete env.FORCE_COLOR;
}

async function runCommand(): Promise<void> {
  preferNoColor(process);
  const { startCli } = await import('./entry/cli/start-cli.ts');
  await startCli(words, openApp);
}

if (words[0] === '--version') printVersion();
else await runCommand();
