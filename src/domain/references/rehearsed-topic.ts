import type { StagedTopic } from './library.ts';

/** Answers as a topic that is being made would, and keeps nothing but names. */
export function rehearsedTopic(): StagedTopic {
  const names = new Set<string>();
  const put = (path: string) => {
    const isNew = !names.has(path);
    names.add(path);
    return isNew;
  };
  const neverThere = async () => false;
  return {
    write: async (path) => (put(path) ? 'written' : 'taken'),
    carry: async (_from, path) => put(path),
    drop: async (path) => void names.delete(path),
    publish: neverThere,
    replace: neverThere,
    discard: async () => {},
  };
}
