/** A program on a terminal, and when something appears there. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface TerminalOptions {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly columns: number;
}

export interface Terminal {
  /** Answers when the text has come out, as `performance.now()` counts. */
  appears(text: string): Promise<number>;
  /** Fails unless the program ended well. */
  ended(): Promise<void>;
}

/** Runs one line of a shell. Needs `script` of util-linux. */
export function openTerminal(line: string, { directory, environment, columns }: TerminalOptions): Terminal {
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 24; ${line}`, '/dev/null'], {
    cwd: directory,
    env: { ...environment, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const failure = () => new Error(`"${line}" ended with ${child.exitCode ?? child.signalCode}: ${output}`);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    appears(text) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      child.stdout.on('data', () => {
        if (output.includes(text)) resolve(performance.now());
      });
      child.on('close', () => reject(failure()));
      return promise;
    },
    async ended() {
      await closed;
      if (child.exitCode !== 0) throw failure();
    },
  };
}
