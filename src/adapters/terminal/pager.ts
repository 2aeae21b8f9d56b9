import { type ChildProcess, spawn } from 'node:child_process';
import type { Pager } from '../../base/processes.ts';
import { splitCommand } from '../../base/shell-words.ts';

/** Runs `command` with the terminal to itself; `cat` and an empty command mean no pager. */
export function terminalPager(
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
): Pager {
  return {
    async show(text) {
      const [program, ...args] = splitCommand(command) ?? [];
      if (!program || program === 'cat') return false;
      // By default less shows colours, leaves at once if all of the text fits, and leaves the text on the screen.
      const env = { LESS: 'FRX', LV: '-c', ...environment };
      const child = spawn(program, args, { env, stdio: ['pipe', 'inherit', 'inherit'] });
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
