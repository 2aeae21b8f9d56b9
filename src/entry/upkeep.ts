/** Background work of a server: it keeps the index fresh, and refreshes topics if that is configured. */

import type { WorkspaceApp } from '../app.ts';
import { keepFreshUnasked } from './keep-fresh.ts';
import { refreshUnasked } from './refresh-unasked.ts';

/** Returns a function that stops it after the current work. `before` is awaited before the index is kept fresh. */
export function beginUpkeep(
  app: WorkspaceApp,
  report: (error: unknown) => void,
  before?: () => Promise<void>,
): () => Promise<void> {
  const ends = [keepFreshUnasked(app, report, before), refreshUnasked(app, { report })];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}
