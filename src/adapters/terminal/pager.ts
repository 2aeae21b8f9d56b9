import { type ChildProcess, spawn } from 'node:child_process';
import type { Pager } from '../../base/pager.ts';
import { splitCommand } from '../../base/split-command.ts';

/** Runs `command` with the terminal to itself; `cat` and an empty one stand for none. */
export function terminalPager(
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
): Pager {
  return {
    async show(text) {
      const [program, ...args] = splitCommand(command) ?? [];
      if (!program || program === 'cat') return false;
      // Unless told otherwise, less obeys colours and leaves at once, and the text on the screen, if all of it fits.
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
    // Whoever leaves before the end has seen enough.
    child.stdin?.on('error', () => {}).end(text);
  });
}

/** Ctrl-C is for the pager: without it ken would be gone, and two programs would read the keyboard. */
async function whileIgnoringInterrupts<Result>(work: () => Promise<Result>): Promise<Result> {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    return await work();
  } finally {
    process.off('SIGINT', ignore);
  }
}
