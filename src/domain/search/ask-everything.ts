/** Brings the indexes up to date and asks them. */

import type { Envelope } from './hit.ts';
import { type EverythingPorts, type Question, searchEverything } from './search-everything.ts';
import { wantedIndexes } from './wanted-indexes.ts';

/** `names` are those of the sources to search; absent: all of them. */
export async function askEverything(
  ports: EverythingPorts,
  names: readonly string[] | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const indexes = wantedIndexes(ports.indexes, names);
  for (const { sources, sync } of indexes)
    await sync(
      sources.map(({ name }) => name),
      signal,
    );
  return searchEverything({ ...ports, indexes }, question);
}
