/** All that every command needs. The build keeps this file and what it imports in one chunk. */

import type { OpenApp } from '../../app.ts';
import { endProcess, processHost } from './process-host.ts';
import { COMMANDS } from './registry.ts';
import { runCli } from './run-cli.ts';

/** Runs the words of the command line and ends the process with what came of them. */
export async function startCli(words: readonly string[], openApp: OpenApp): Promise<void> {
  endProcess(process, await runCli(processHost(process, { words, commands: COMMANDS, openApp })));
}
