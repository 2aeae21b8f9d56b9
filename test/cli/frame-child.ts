/** The real frame in a real process, around commands that only a test needs. */

import { setImmediate } from 'node:timers/promises';
import type { Command } from '../../src/entry/cli/command.ts';
import { runCommands } from './run-commands.ts';

/** Keeps the process alive for longer than any test waits. */
const forever = () => new Promise<never>(() => setInterval(() => {}, 60_000));

const COMMANDS: Record<string, Command['run']> = {
  async polite({ signal, terminal }) {
    signal.addEventListener('abort', () => terminal.print('stopping'));
    terminal.print('ready');
    await Promise.race([
      forever(),
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
    return 0;
  },
  async stubborn({ signal, terminal }) {
    signal.addEventListener('abort', () => terminal.print('not yet'));
    terminal.print('ready');
    return forever();
  },
  async plain({ terminal }) {
    terminal.print('ready');
    return forever();
  },
  async lost() {
    await new Promise(() => {});
  },
  async crash() {
    throw new TypeError('the wheel came off');
  },
  async stray() {
    setTimeout(() => Promise.reject(new TypeError('nobody awaited this')), 1);
    return forever();
  },
  async flood({ terminal }) {
    for (let line = 0; ; line++) {
      terminal.print(`line ${line}`);
      if (line % 1000 === 0) await setImmediate();
    }
  },
};

await runCommands(COMMANDS);
