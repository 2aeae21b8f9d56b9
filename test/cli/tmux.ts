/** ken in a window of tmux, whose screen can be read at any moment. */

import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Sandbox } from './ken.ts';
import { LAUNCHER } from './launcher.ts';

/** Why this machine has no tmux to lend, or nothing when it has. */
export function tmuxProblem(): string | undefined {
  return spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed here';
}

export interface Window {
  /** Rows of the screen, also those that scrolled off, without spaces at their ends. */
  rows(): readonly string[];
  /** The rows with their styles, as escape sequences. */
  styled(): string;
  type(text: string): void;
  /** Named keys: `Enter`, `C-c`. */
  press(...keys: readonly string[]): void;
  resize(columns: number, rows: number): void;
}

export interface WindowOptions {
  readonly columns: number;
  readonly rows: number;
  /** Colours of the window, as tmux names them: `bg=black,fg=white`. */
  readonly style?: string;
}

let opened = 0;

/** Runs ken with these words, and waits for a key afterwards. */
export function openWindow(
  place: Pick<Sandbox, 'root' | 'home'>,
  words: string,
  { columns, rows, style }: WindowOptions,
): Window {
  const socket = `ken-test-${process.pid}-${opened++}`;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: place.home,
    KEN_HOME: place.home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
  const tmux = (...more: readonly string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...more], { encoding: 'utf8', env });
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']));
  const line = `'${process.execPath}' '${LAUNCHER}' ${words}; read -r end`;
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', place.root, line);
  if (style !== undefined) tmux('set-option', '-g', 'window-style', style);
  return {
    rows: () =>
      tmux('capture-pane', '-p', '-S', '-')
        .split('\n')
        .map((row) => row.trimEnd()),
    styled: () => tmux('capture-pane', '-p', '-e', '-S', '-'),
    type: (text) => void tmux('send-keys', '-l', text),
    press: (...keys) => void tmux('send-keys', ...keys),
    resize: (width, height) => void tmux('resize-window', '-x', `${width}`, '-y', `${height}`),
  };
}
