/** Brings the indexes up to date and asks them. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { Envelope } from './hit.ts';
import { type EverythingPorts, type Question, searchEverything } from './search-everything.ts';

/** `names` are those of the sources to search; absent: all of them. */
export async function askEverything(
  ports: EverythingPorts,
  names: readonly string[] | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const known = ports.indexes.flatMap(({ sources }) => sources.map(({ name }) => name));
  const stray = names?.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw new Fault('cli/usage', `"${stray}" is nothing that can be searched.`, {
      hint: didYouMean(stray, known) ?? `Search in: ${known.join(', ')}.`,
    });
  }
  const indexes = ports.indexes
    .map((index) => ({
      ...index,
      sources: index.sources.filter(({ name }) => !names || names.includes(name)),
    }))
    .filter(({ sources }) => sources.length > 0);
  for (const { sources, sync } of indexes)
    await sync(
      sources.map(({ name }) => name),
      signal,
    );
  return searchEverything({ ...ports, indexes }, question);
}
