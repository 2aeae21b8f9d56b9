import type { KeyPath } from './key-path.ts';

/** Something wrong with what a layer says. */
export interface Problem {
  readonly path: KeyPath;
  /** A sentence without its full stop. */
  readonly message: string;
  readonly hint?: string | undefined;
}
