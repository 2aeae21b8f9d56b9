/** Brings the indexes up to date beside the requests, so that no page waits for it. */

import { Fault } from '../../base/fault.ts';
import type { SourceFailure } from '../../domain/search/sources/search-source.ts';
import { syncIndexes } from '../searched-indexes.ts';
import type { OpenedPlace } from './page.ts';

export interface IndexingState {
  /** Items that are read, of those to read; 0 of 0 while it is looked for what has changed. */
  readonly done: number;
  readonly total: number;
  readonly began: number;
}

export interface Indexing {
  /** Begins unless it runs. Resolves at its end, however it ends. */
  run(): Promise<void>;
  /** The same for the first caller alone; those after it wait for nothing. */
  begin(): void;
  /** Waits for it only as long as a reader does not notice. */
  catchUp(): Promise<void>;
  /** Null while nothing is being indexed. */
  state(): IndexingState | null;
  /** Another text whenever the state is another one, and after each run. */
  revision(): string;
  /** Sources that could not be read the last time. */
  failures(): readonly SourceFailure[];
  /** Why the last run ended early. */
  problem(): Fault | undefined;
}

const PATIENCE_MS = 150;

export function pageIndexing(
  place: Pick<OpenedPlace, 'app' | 'signal' | 'report'>,
  patienceMs = PATIENCE_MS,
): Indexing {
  let running: Promise<void> | undefined;
  let [runs, hasBegun] = [0, false];
  let state: IndexingState = { done: 0, total: 0, began: 0 };
  let ended: Ended = { failures: [], problem: undefined };
  const run = () => {
    hasBegun = true;
    running ??= work();
    return running;
  };
  const work = async () => {
    state = { done: 0, total: 0, began: place.app.clock.now() };
    const onItems = (done: number, total: number) => {
      state = { ...state, done, total };
    };
    ended = await synced(place, onItems);
    running = undefined;
    runs += 1;
  };
  return {
    run,
    begin: () => void (hasBegun || run()),
    catchUp: () => unlessLong(run(), patienceMs),
    state: () => (running ? state : null),
    revision: () => `${runs}-${running ? `${state.done}-${state.total}` : ''}`,
    failures: () => ended.failures,
    problem: () => ended.problem,
  };
}

interface Ended {
  readonly failures: readonly SourceFailure[];
  readonly problem: Fault | undefined;
}

async function synced(
  { app, signal, report }: Pick<OpenedPlace, 'app' | 'signal' | 'report'>,
  onItems: (done: number, total: number) => void,
): Promise<Ended> {
  try {
    return { failures: await syncIndexes(app, onItems, signal), problem: undefined };
  } catch (error) {
    if (error instanceof Fault) return { failures: [], problem: error };
    // A page that ends stops it.
    if (!signal.aborted) report(error);
    return { failures: [], problem: undefined };
  }
}

async function unlessLong(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
