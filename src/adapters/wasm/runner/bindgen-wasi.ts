/** WASI for the bindgen, which is itself a component: no files, and its output is dropped. Replaced by the bundler. */

import { NO_FILES } from './remote-files.ts';
import { createWasi } from './wasi.ts';

const { imports } = createWasi({ outputBytes: 65_536, files: NO_FILES, directories: [] });

export const environment = imports['wasi:cli/environment'];
export const exit = imports['wasi:cli/exit'];
export const stderr = imports['wasi:cli/stderr'];
export const stdin = imports['wasi:cli/stdin'];
export const stdout = imports['wasi:cli/stdout'];
export const terminalInput = imports['wasi:cli/terminal-input'];
export const terminalOutput = imports['wasi:cli/terminal-output'];
export const terminalStderr = imports['wasi:cli/terminal-stderr'];
export const terminalStdin = imports['wasi:cli/terminal-stdin'];
export const terminalStdout = imports['wasi:cli/terminal-stdout'];
export const wallClock = imports['wasi:clocks/wall-clock'];
export const preopens = imports['wasi:filesystem/preopens'];
export const types = imports['wasi:filesystem/types'];
export const error = imports['wasi:io/error'];
export const streams = imports['wasi:io/streams'];
export const random = imports['wasi:random/random'];
