import path from 'node:path';

export const BUILT_CHILDREN = path.join(import.meta.dirname, '../build/test-children');

/** Node runs it, and it becomes the stand-alone binary that the tests try. */
export const RUN_BINARY = path.join(BUILT_CHILDREN, 'run-binary.cjs');

/** The program that was built from `test/<name>-child.ts`. */
export function childProgram(name: string): string {
  return path.join(BUILT_CHILDREN, `${name}-child.mjs`);
}
