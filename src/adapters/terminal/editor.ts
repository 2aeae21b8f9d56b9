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
  const program = () => {
    const [name, ...args] = splitCommand(command ?? '') ?? [];
    if (!name) {
      throw new Fault('terminal/no-editor', 'There is no editor to use.', {
        hint: 'Set $VISUAL or $EDITOR, or "ken config set --user editor vi".',
      });
    }
    const found = path.isAbsolute(name) ? name : find(name);
    if (found === undefined) throw cannotStart(name);
    return { found, args };
  };
  return {
    async edit(text, name, line) {
      const { found, args } = program();
      const directory = await mkdtemp(path.join(tmpdir(), 'ken-edit-'));
      try {
        const file = path.join(directory, name);
        await writeFile(file, text, { mode: 0o600 });
        const isDone = await succeeded(found, [...args, ...atLine(found, file, line)]);
        return isDone ? await readFile(file, 'utf8') : undefined;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    async open(file, line) {
      const { found, args } = program();
      if (await succeeded(found, [...args, ...atLine(found, file, line)])) return;
      throw new Fault('process/failed', `The editor "${path.basename(found)}" ended with an error.`);
    },
  };
}

const PLUS_LINE = /^(?:n?vim?|gvim|view|nano|pico|emacs|emacsclient|kak|micro|joe|jed|mg|ne|vis|gedit|kate)$/;
const COLON_LINE = /^(?:hx|helix|subl|zed|zeditor)$/;
const GOTO_LINE = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/;

/** Editors take a line in different ways; one that is not known opens the file at its beginning. */
function atLine(program: string, file: string, line: number | undefined): string[] {
  const name = path.basename(program);
  if (line === undefined) return [file];
  if (PLUS_LINE.test(name)) return [`+${line}`, file];
  if (COLON_LINE.test(name)) return [`${file}:${line}`];
  return GOTO_LINE.test(name) ? ['--goto', `${file}:${line}`] : [file];
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
