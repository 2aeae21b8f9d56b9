/** Refreshes stale topics of the library while a server runs, if the operator has configured it. */

import type { WorkspaceApp } from '../app.ts';
import type { RefreshedStale } from '../domain/references/lifecycle/refresh-stale.ts';

const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<string, number>> = { daily: DAY_MS, weekly: 7 * DAY_MS };
/** A server that ends before then fetches nothing. */
const FIRST_LOOK_MS = 60_000;
const LOOK_MS = 3_600_000;

export interface RefreshObserver {
  onRefreshed?(results: readonly RefreshedStale[]): void;
  report(error: unknown): void;
}

/** Returns a function that stops it. */
export function refreshUnasked(app: WorkspaceApp, observer: RefreshObserver): () => Promise<void> {
  const periodMs = PERIODS[app.config.references.refresh];
  if (periodMs === undefined) return async () => {};
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const later = (milliseconds: number) => {
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = refreshIfDue(app, { periodMs, ...observer }, stop.signal)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) observer.report(error);
        })
        .finally(() => later(LOOK_MS));
    }, milliseconds).unref();
  };
  later(FIRST_LOOK_MS);
  return async () => {
    clearTimeout(timer);
    stop.abort();
    await running;
  };
}

/** Does nothing while another process refreshes, or when the last refresh is recent. */
export async function refreshIfDue(
  app: WorkspaceApp,
  { periodMs, onRefreshed }: Pick<RefreshObserver, 'onRefreshed'> & { readonly periodMs: number },
  signal: AbortSignal,
): Promise<void> {
  const turn = await app.refreshTurns.take(periodMs);
  if (!turn) return;
  try {
    const { refreshStale } = await import('../domain/references/lifecycle/refresh-stale.ts');
    const approver = {
      isThere: async () => false,
      asksAgain: async () => false,
      ask: async () => ({ verdict: 'nobody' }) as const,
    };
    const asked = { workspace: app.workspace.root, actor: 'ken, by references.refresh' };
    onRefreshed?.(await refreshStale({ ...app, approver }, asked, signal));
  } finally {
    await turn.release();
  }
}
