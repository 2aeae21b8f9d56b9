import type { ListedSource } from './search-source.ts';

/** A source whose code is loaded when there is something in it; until then it lists nothing. */
export function lateSource(
  name: string,
  /** Empty while there is nothing in the source. */
  revision: () => Promise<string>,
  load: () => Promise<ListedSource>,
): ListedSource {
  let loading: Promise<ListedSource> | undefined;
  const source = () => {
    loading ??= load();
    return loading;
  };
  return {
    name,
    revision,
    list: async (known) => ((await revision()) === '' ? [] : (await source()).list(known)),
    describe: async (chunks) => (await source()).describe(chunks),
  };
}
