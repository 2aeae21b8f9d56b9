import type { OpenApp } from './app.ts';
import { VERSION } from './base/version.ts';

const words = process.argv.slice(2);

/** Imported late, so that help and typing errors load no adapter. */
const openApp: OpenApp = async (request) => (await import('./compose.ts')).openApp(request);

/** A reader that went away (`ken … | head`) is no failure. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

if (words[0] === '--version') {
  process.stdout.write(`${VERSION}\n`);
} else {
  ignoreClosedPipe(process.stdout);
  ignoreClosedPipe(process.stderr);
  const { runCli } = await import('./entry/cli/run-cli.ts');
  process.exitCode = await runCli({
    words,
    environment: process.env,
    directory: process.cwd(),
    streams: { output: process.stdout, errors: process.stderr, input: process.stdin },
    openApp,
  });
}
