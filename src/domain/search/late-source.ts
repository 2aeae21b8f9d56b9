import type { ListedSource } from './search-source.ts';

/** A source whose code is loaded when there is something of it: before that it has nothing, under its own name. */
export function lateSource(
  name: string,
  /** Empty as long as there is nothing of it. */
  revision: () => Promise<string>,
  load: () => Promise<ListedSource>,
): ListedSource {
  let loaded: ListedSource | undefined;
  const source = async () => {
    loaded ??= await load();
    return loaded;
  };
  const known = () => {
    if (!loaded) throw new Error(`The source ${name} is asked about chunks that it was not shown.`);
    return loaded;
  };
  return {
    name,
    revision,
    list: async (known) => ((await revision()) === '' ? [] : (await source()).list(known)),
    look: async (chunks) => (await source()).look?.(chunks),
    citationOf: (chunk) => known().citationOf(chunk),
    tierOf: (chunk) => known().tierOf(chunk),
    standingOf: (chunk) => known().standingOf?.(chunk),
  };
}
