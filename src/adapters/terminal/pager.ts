import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Pager } from '../../base/processes.ts';
import { splitCommand } from '../../base/shell-words.ts';

/** Runs `command` with the terminal to itself; `cat` and an empty command mean no pager. */
export function terminalPager(
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
  find: (program: string) => string | undefined,
): Pager {
  return {
    async show(text) {
      const [program, ...args] = splitCommand(command) ?? [];
      if (!program || program === 'cat') return false;
      // Unless configured, less shows colours, exits at once if the text fits, and leaves the text on the screen.
      const env = { LESS: 'FRX', LV: '-c', ...environment };
      const found = path.isAbsolute(program) ? program : find(program);
      if (found === undefined) return false;
      const child = spawn(found, args, { env, stdio: ['pipe', 'inherit', 'inherit'] });
      return whileIgnoringInterrupts(() => fed(child, text));
    },
  };
}

function fed(child: ChildProcess, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', () => resolve(true));
    // Leaving before the end is not an error.
    child.stdin?.on('error', () => {}).end(text);
  });
}

/** Ctrl-C is for the pager: if ken ended, the pager and the shell would both read the keyboard. */
async function whileIgnoringInterrupts<Result>(work: () => Promise<Result>): Promise<Result> {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    return await work();
  } finally {
    process.off('SIGINT', ignore);
  }
}
