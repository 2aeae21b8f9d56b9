/** Tells connected clients when tools, prompts or resources change: by looking now and then, which works on every file system. */

import type { ServedWorkspace } from '../served-workspace.ts';
import type { Serving } from './serving.ts';

export interface ChangeListener {
  changed(list: ListName): void;
  resourceUpdated(uri: string): void;
}

export type ListName = 'tools' | 'prompts' | 'resources';

export interface ChangeWatch {
  listen(listener: ChangeListener): () => void;
  /** A client was given this list; from now on it is told when the list becomes another one. */
  given(list: ListName, items: readonly object[]): void;
  /**
   * Listeners are told when the resource is another one than at the end of this call. False for more resources than are
   * read at once.
   */
  follow(uri: string): Promise<boolean>;
  unfollow(uri: string): void;
  /** Looks at once. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchInput {
  readonly serving: Pick<Serving, 'use' | 'refresh'>;
  list(served: ServedWorkspace, list: ListName): Promise<readonly object[]>;
  /** Undefined when nothing is there. */
  read(served: ServedWorkspace, uri: string): Promise<string | undefined>;
  report(error: unknown): void;
}

const FIRST_MS = 1_000;
const LAST_MS = 15_000;
/** At most this part of a processor is used. */
const MOST_PART = 1 / 50;
export const MOST_FOLLOWED = 200;

export function changeWatch(input: WatchInput): ChangeWatch {
  const listeners = new Set<ChangeListener>();
  const lists = new Map<ListName, string>();
  const resources = followedResources((uri) => input.serving.use((served) => input.read(served, uri)));
  let pause = FIRST_MS;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  function given(list: ListName, items: readonly object[]): void {
    const text = JSON.stringify(items);
    const before = lists.get(list);
    lists.set(list, text);
    if (before !== undefined && before !== text) for (const listener of listeners) listener.changed(list);
  }

  async function lookAtAll(): Promise<void> {
    await input.serving.refresh();
    for (const list of [...lists.keys()])
      given(list, await input.serving.use((served) => input.list(served, list)));
    for (const uri of await resources.changed())
      for (const listener of listeners) listener.resourceUpdated(uri);
  }

  async function look(): Promise<void> {
    const started = performance.now();
    looking ??= lookAtAll()
      .catch(input.report)
      .finally(() => {
        looking = undefined;
      });
    await looking;
    arm(Math.max(pause, (performance.now() - started) / MOST_PART));
  }

  function arm(milliseconds: number): void {
    clearTimeout(timer);
    if (isClosed || listeners.size === 0 || lists.size + resources.count() === 0) return;
    timer = setTimeout(() => {
      pause = Math.min(pause * 1.5, LAST_MS);
      void look();
    }, milliseconds).unref();
  }

  /** A client that asks is at work, and so may be its person. */
  function awake<Result>(result: Result): Result {
    pause = FIRST_MS;
    if (!looking) arm(pause);
    return result;
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return awake(() => void listeners.delete(listener));
    },
    given: (list, items) => awake(given(list, items)),
    follow: (uri) => awake(resources.follow(uri)),
    unfollow: resources.unfollow,
    look,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

function followedResources(read: (uri: string) => Promise<string | undefined>) {
  const followed = new Map<string, { followers: number; text: Promise<string | undefined> }>();
  return {
    count: () => followed.size,
    async follow(uri: string): Promise<boolean> {
      const one = followed.get(uri) ?? { followers: 0, text: read(uri) };
      if (one.followers === 0 && followed.size >= MOST_FOLLOWED) return false;
      one.followers++;
      followed.set(uri, one);
      await one.text;
      return true;
    },
    unfollow(uri: string): void {
      const one = followed.get(uri);
      if (one && --one.followers === 0) followed.delete(uri);
    },
    /** Those that have another text than when they were last read. */
    async changed(): Promise<readonly string[]> {
      const changed: string[] = [];
      for (const [uri, one] of [...followed]) {
        const before = await one.text;
        one.text = read(uri);
        if ((await one.text) !== before) changed.push(uri);
      }
      return changed;
    },
  };
}
