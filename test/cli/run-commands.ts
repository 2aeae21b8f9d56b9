import { type Command, command, type RegisteredCommand } from '../../src/entry/cli/command.ts';
import { endProcess, guardOutput, processHost } from '../../src/entry/cli/process-host.ts';
import { runCli } from '../../src/entry/cli/run-cli.ts';

/** The real frame in this process, around commands that only a test needs. */
export async function runCommands(runs: Readonly<Record<string, Command['run']>>): Promise<void> {
  const commands: RegisteredCommand[] = Object.entries(runs).map(([name, run]) => ({
    name,
    summary: name,
    load: async () => command({ name, summary: name, arguments: ANY_WORDS, ...(run && { run }) }),
  }));
  guardOutput(process);
  endProcess(
    process,
    await runCli(
      processHost(process, {
        words: process.argv.slice(2),
        commands,
        openApp: () => Promise.reject(new Error('These commands open nothing.')),
      }),
    ),
  );
}

const ANY_WORDS = [{ name: 'word', summary: 'anything', variadic: true }];
