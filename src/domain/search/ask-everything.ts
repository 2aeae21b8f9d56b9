/** Brings the indexes up to date and asks them. */

import type { Envelope, UnavailableSource } from './hit.ts';
import { type EverythingPorts, type Question, searchEverything } from './search-everything.ts';
import type { SourceFailure } from './search-source.ts';
import { wantedIndexes, withoutSources } from './wanted-indexes.ts';

/**
 * `names` are those of the sources to search; absent: all of them. What cannot be read is named in the answer, and is a
 * Fault only when there is nothing else to search.
 */
export async function askEverything(
  ports: EverythingPorts,
  names: readonly string[] | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const wanted = wantedIndexes(ports.indexes, names);
  const failures: SourceFailure[] = [];
  for (const { sources, sync } of wanted)
    failures.push(
      ...(await sync(
        sources.map(({ name }) => name),
        signal,
      )),
    );
  const indexes = withoutSources(
    wanted,
    failures.map(({ name }) => name),
  );
  const [failure] = failures;
  if (failure && indexes.length === 0) throw failure.fault;
  const envelope = await searchEverything({ ...ports, indexes }, question);
  return failure ? { ...envelope, unavailable: failures.map(unavailable) } : envelope;
}

function unavailable({ name, fault: { message, hint } }: SourceFailure): UnavailableSource {
  return { in: name, message, ...(hint !== undefined && { hint }) };
}
