import type { OpenApp } from './app.ts';
import { VERSION } from './base/version.ts';
import { guardOutput } from './entry/cli/guard-output.ts';

const words = process.argv.slice(2);

/** Imported late, so that help and typing errors load no adapter. */
const openApp: OpenApp = async (request) => (await import('./compose.ts')).openApp(request);

guardOutput(process);
if (words[0] === '--version') {
  process.stdout.write(`${VERSION}\n`);
} else {
  const [{ runCli }, { COMMANDS }, { endProcess, processHost }] = await Promise.all([
    import('./entry/cli/run-cli.ts'),
    import('./entry/cli/registry.ts'),
    import('./entry/cli/process-host.ts'),
  ]);
  endProcess(process, await runCli(processHost(process, { words, commands: COMMANDS, openApp })));
}
