/** ken at a real terminal, with somebody who reads before they type. */

import type { Sandbox } from './ken.ts';
import { openPty } from './pty.ts';

export interface Keys {
  /** Text that must have appeared since the last keys; `''` waits for nothing. */
  readonly after: string;
  readonly keys: string;
}

export interface Screen {
  readonly code: number | null;
  /** All that reached the terminal, with `\n` for line ends. */
  readonly text: string;
}

export async function atTerminal(
  { root, home }: Pick<Sandbox, 'root' | 'home'>,
  words: readonly string[],
  typed: readonly Keys[],
  { columns = 80, environment = {} }: { columns?: number; environment?: Record<string, string> } = {},
): Promise<Screen> {
  const pty = openPty(`ken ${words.map(quoted).join(' ')}`, {
    directory: root,
    columns,
    // A dumb terminal moves no cursor, so that the whole screen can be compared.
    environment: { HOME: home, KEN_HOME: home, TERM: 'dumb', ...environment },
  });
  for (const { after, keys } of typed) {
    await pty.waitFor(after);
    pty.type(keys);
  }
  const { code, output } = await pty.ended();
  return { code, text: output.replace(/\r+\n/g, '\n') };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
