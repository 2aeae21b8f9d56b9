import path from 'node:path';
import { RUN_BINARY } from '../child-program.ts';

/** The words that ken writes into the settings of other programs to be started again. */
export const OWN_COMMAND: readonly [program: string, ...words: string[]] = process.env.KEN_TEST_BINARY
  ? [path.resolve(process.env.KEN_TEST_BINARY)]
  : [process.execPath, path.join(import.meta.dirname, '../../bin/ken.cjs')];

/** The script with which Node starts ken: its own, or one that becomes the stand-alone binary named by KEN_TEST_BINARY. */
export const LAUNCHER = process.env.KEN_TEST_BINARY
  ? RUN_BINARY
  : path.join(import.meta.dirname, '../../bin/ken.cjs');
