import type { App } from '../app.ts';
import { askEverything } from '../domain/search/ask-everything.ts';
import type { Envelope } from '../domain/search/hit.ts';
import type { Question } from '../domain/search/search-everything.ts';
import { searchedIndexes } from './searched-indexes.ts';

/** One question over everything that can be searched from where the app was opened. */
export async function askApp(
  app: App,
  names: readonly string[] | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Envelope> {
  const ports = { embedder: app.embedder, indexes: await searchedIndexes(app) };
  return askEverything(ports, names, question, signal);
}
