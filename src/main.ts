import type { OpenApp } from './app.ts';
import { VERSION } from './base/version.ts';
import { guardOutput } from './entry/cli/guard-output.ts';

const words = process.argv.slice(2);

/** Imported late, so that help and typing errors load no adapter. */
const openApp: OpenApp = async (request) =>
  (await import('./compose.ts')).openApp({ ...request, componentsAhead });

/** A sandbox takes as long to start as everything else together, so it starts before that. */
const componentsAhead =
  words[0] === 'tools' && words[1] === 'run'
    ? import('./compose/components-ahead.ts').then((ahead) => ahead.openComponentsAhead(process.env))
    : undefined;
// What went wrong is told to whoever uses it; a command that ends before that has its own reasons.
componentsAhead?.catch(() => {});

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
else void runCommand();
