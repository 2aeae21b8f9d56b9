/** Keeps the index of a workspace fresh while a process runs. */

import type { WorkspaceApp } from '../app.ts';
import type { Fault } from '../base/fault.ts';
import { openTopics } from '../domain/knowledge-base/open-topics.ts';
import { offeredKnowledge } from '../domain/knowledge-base/topic.ts';
import { type SyncCount, syncIndex } from '../domain/search/index/sync-index.ts';
import { type FreshRound, keepIndexFresh } from '../domain/search/watch/keep-index-fresh.ts';
import { workspaceSources } from './searched-indexes.ts';

export interface FreshObserver {
  onRound?(round: FreshRound<SyncCount>): void;
  onFault?(fault: Fault): void;
}

/** Resolves when the signal aborts. */
export async function keepFresh(
  app: WorkspaceApp,
  observer: FreshObserver,
  signal: AbortSignal,
): Promise<void> {
  await keepIndexFresh(
    app,
    { directories: () => changingDirectories(app), sync: (until) => syncAll(app, until), ...observer },
    signal,
  );
}

async function changingDirectories(app: WorkspaceApp): Promise<readonly string[]> {
  const topics = await openTopics(app, offeredKnowledge(app));
  const below = topics.flatMap(({ files }) => files.directories?.() ?? []);
  return [...new Set([...(await app.fileWatch.places()), ...below])];
}

async function syncAll(app: WorkspaceApp, signal: AbortSignal): Promise<SyncCount> {
  const { searchIndex: store, embedder } = app;
  const count = await syncIndex({ store, embedder }, workspaceSources(app), signal);
  if ((await app.library.list()).length > 0) await app.referenceIndex.sync({}, signal);
  return count;
}

/** Servers begin when their first requests have been answered. */
const BEGIN_AFTER_MS = 5_000;
const LEAD_AGAIN_MS = 60_000;

/**
 * For servers: one process at a time does this for a workspace, and another one takes over when it ends. Whatever goes
 * wrong costs only freshness, since each search brings its index up to date itself. Returns how to end it.
 */
export function keepFreshUnasked(
  app: WorkspaceApp,
  report: (error: unknown) => void,
  before: () => Promise<void> = async () => {},
): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const begin = async () => {
    const lead = await app.fileWatch.lead();
    if (!lead) return again(LEAD_AGAIN_MS);
    try {
      await before();
      await keepFresh(app, {}, stop.signal);
    } finally {
      await lead.release();
    }
  };
  const again = (milliseconds: number) => {
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = begin().catch((error: unknown) => {
        if (!stop.signal.aborted) report(error);
      });
    }, milliseconds).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  again(BEGIN_AFTER_MS);
  return async () => {
    clearTimeout(timer);
    stop.abort();
    await running;
  };
}
