import path from 'node:path';
import { RUN_BINARY } from '../child-program.ts';

/** The script with which Node starts ken: its own, or one that becomes the stand-alone binary named by KEN_TEST_BINARY. */
export const LAUNCHER = process.env.KEN_TEST_BINARY
  ? RUN_BINARY
  : path.join(import.meta.dirname, '../../bin/ken.cjs');
