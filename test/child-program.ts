import path from 'node:path';

export const BUILT_CHILDREN = path.join(import.meta.dirname, '../build/test-children');

/** The program that was built from `test/<name>-child.ts`. */
export function childProgram(name: string): string {
  return path.join(BUILT_CHILDREN, `${name}-child.mjs`);
}
