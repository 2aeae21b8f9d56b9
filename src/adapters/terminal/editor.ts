import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { Editor } from '../../base/processes.ts';
import { splitCommand } from '../../base/shell-words.ts';

/** Runs `command` on a private copy of the text, with the terminal to itself. `find` names the file of a program. */
export function terminalEditor(
  command: string | undefined,
  find: (program: string) => string | undefined,
): Editor {
  return {
    async edit(text, name) {
      const words = splitCommand(command ?? '') ?? [];
      const [program, ...args] = words;
      if (!program) {
        throw new Fault('terminal/no-editor', 'There is no editor to use.', {
          hint: 'Set $VISUAL or $EDITOR, or "ken config set --user editor vi".',
        });
      }
      const found = path.isAbsolute(program) ? program : find(program);
      if (found === undefined) throw cannotStart(program);
      const directory = await mkdtemp(path.join(tmpdir(), 'ken-edit-'));
      try {
        const file = path.join(directory, name);
        await writeFile(file, text, { mode: 0o600 });
        const isDone = await succeeded(found, [...args, file]);
        return isDone ? await readFile(file, 'utf8') : undefined;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

function cannotStart(program: string, cause?: unknown): Fault {
  return new Fault('process/not-found', `The editor "${program}" cannot be started.`, {
    hint: 'Name a program on the PATH outside of the workspace, or its whole path.',
    cause,
  });
}

function succeeded(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', (cause) => {
      reject(cannotStart(program, cause));
    });
    child.on('exit', (code) => resolve(code === 0));
  });
}
