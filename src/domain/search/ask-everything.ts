/** Brings the index up to date and asks it. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { Envelope } from './hit.ts';
import { type EverythingPorts, type Question, searchEverything } from './search-everything.ts';
import { syncIndex } from './sync-index.ts';

/** `names` are those of the sources to search; absent: all of them. */
export async function askEverything(
  ports: EverythingPorts,
  names: readonly string[] | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const known = ports.sources.map(({ name }) => name);
  const stray = names?.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw new Fault('cli/usage', `"${stray}" is nothing that can be searched.`, {
      hint: didYouMean(stray, known) ?? `Search in: ${known.join(', ')}.`,
    });
  }
  const sources = ports.sources.filter(({ name }) => !names || names.includes(name));
  await syncIndex(ports, sources, signal);
  return searchEverything({ ...ports, sources }, question);
}
