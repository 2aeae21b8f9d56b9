/** Everything that can be searched from here. The code of a part is loaded only where a workspace has the part. */

import { type App, isInWorkspace, type WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort } from '../base/lazy.ts';
import { secondsOf } from '../base/time.ts';
import { offeredKnowledge } from '../domain/knowledge-base/topic.ts';
import type { Envelope } from '../domain/search/engine/hit.ts';
import { type Question, searchEverything } from '../domain/search/engine/search-everything.ts';
import { type SyncOptions, syncIndex } from '../domain/search/index/sync-index.ts';
import type {
  ListedSource,
  SearchedIndex,
  SearchSource,
  SourceFailure,
} from '../domain/search/sources/search-source.ts';
import { subjectSource } from '../domain/search/sources/subject-source.ts';
import { turnSource } from '../domain/search/sources/turn-source.ts';

type OnItems = SyncOptions['onItems'];

/** `onItems` counts what is read while an index is brought up to date. */
export async function searchApp(
  app: App,
  question: Question,
  signal: AbortSignal,
  onItems?: OnItems,
): Promise<Envelope> {
  const indexes = await searchedIndexes(app, onItems);
  return searchEverything({ engine: app.engine, indexes }, question, signal);
}

/** Searches the indexes as they are. The sources that could not be read lately are named as unavailable. */
export async function searchAsIs(
  app: App,
  question: Question,
  failures: readonly SourceFailure[],
  signal: AbortSignal,
): Promise<Envelope> {
  const indexes = (await searchedIndexes(app)).map((index) => ({
    ...index,
    sync: async (names: readonly string[]) => failures.filter(({ name }) => names.includes(name)),
  }));
  return searchEverything({ engine: app.engine, indexes }, question, signal);
}

/** Brings every index up to date; returns the sources that could not be read. */
export async function syncIndexes(
  app: App,
  onItems: NonNullable<OnItems>,
  signal: AbortSignal,
): Promise<readonly SourceFailure[]> {
  const failures: SourceFailure[] = [];
  for (const { sources, isEmpty, sync } of await searchedIndexes(app, onItems)) {
    if (isEmpty) continue;
    const names = sources.map(({ name }) => name);
    failures.push(...(await sync(names, signal)));
  }
  return failures;
}

export async function searchedIndexes(app: App, onItems?: OnItems): Promise<readonly SearchedIndex[]> {
  const options = onItems ? { onItems } : {};
  const references = await referencesOf(app, options);
  if (!isInWorkspace(app)) return [references];
  return [workspaceOf(app, options), ...(await entriesBeside(app, options)), references];
}

/** Others than those of the workspace, where there are any. */
async function entriesBeside(app: WorkspaceApp, options: SyncOptions): Promise<readonly SearchedIndex[]> {
  const now = secondsOf(app.clock.now());
  const { embedder } = app;
  return Promise.all(
    (app.entriesBeside?.indexed ?? []).map(async ({ ledger, searchIndex: store }) => {
      const source = ledgerSource(app, ledger);
      return {
        store,
        sources: [source],
        isEmpty: (await ledger.revision(now)) === '',
        sync: async (names: readonly string[], signal: AbortSignal) =>
          names.includes(source.name)
            ? (await syncIndex({ store, embedder }, [source], signal, options)).failures
            : [],
      };
    }),
  );
}

function workspaceOf(app: WorkspaceApp, options: SyncOptions): SearchedIndex {
  const { searchIndex: store, embedder } = app;
  const listed = workspaceSources(app);
  return {
    store,
    sources: listed,
    async sync(names, signal) {
      const sources = listed.filter(({ name }) => names.includes(name));
      return (await syncIndex({ store, embedder }, sources, signal, options)).failures;
    },
  };
}

/** Everything of a workspace that its index holds. */
export function workspaceSources(app: WorkspaceApp): readonly ListedSource[] {
  return [subjectSource(app, offeredKnowledge(app)), ledgerSource(app), turnSource(app)];
}

/** Loads its code when there is an entry; until then it lists nothing. Lists one ledger, and describes hits of any. */
function ledgerSource(
  app: WorkspaceApp,
  ledger: WorkspaceApp['ledger'] = app.entriesBeside?.workspace ?? app.ledger,
): ListedSource {
  const revision = () => ledger.revision(secondsOf(app.clock.now()));
  const load = async () => {
    const { entrySource } = await import('../domain/search/sources/entry-source.ts');
    const { describe } = entrySource(app);
    return { ...entrySource({ ...app, ledger }), describe };
  };
  const entries = lazyPort<Pick<ListedSource, 'list' | 'describe'>>(load);
  return {
    name: 'ledger',
    revision,
    list: async (known) => ((await revision()) === '' ? [] : entries.list(known)),
    async *pages(known) {
      if ((await revision()) !== '') yield* (await load()).pages?.(known) ?? [];
    },
    describe: (chunks) => entries.describe(chunks),
  };
}

async function referencesOf(app: App, { onItems }: SyncOptions): Promise<SearchedIndex> {
  const store = app.referenceStore;
  if (app.config.references.scope.includes('none'))
    return { store, sync: async () => [], sources: [NO_REFERENCES], isEmpty: true };
  const kept = await orFault(app.library.list());
  if (kept instanceof Fault)
    return { store, sources: [NO_REFERENCES], sync: async () => [{ name: 'refs', fault: kept }] };
  const sync = async (_: unknown, signal: AbortSignal) => {
    const fault = await orFault(app.referenceIndex.sync(onItems ? { onItems } : {}, signal));
    return fault instanceof Fault ? [{ name: 'refs', fault }] : [];
  };
  if (kept.length === 0) return { store, sync, sources: [NO_REFERENCES], isEmpty: true };
  const { isGood } = await import('../domain/references/topic/library.ts');
  const { referenceSource } = await import('../domain/search/sources/reference-source.ts');
  const topics = kept
    .filter(isGood)
    .map(({ topic }) => topic)
    .filter(isInScope(app.config.references.scope));
  const { exclude } = app.config.references;
  const excluded =
    exclude.length > 0 && (await import('../domain/search/engine/excluded-paths.ts')).excludedPaths(exclude);
  return {
    store,
    sync,
    sources: [referenceSource(topics, app.clock.now())],
    ...(excluded && { excluded }),
  };
}

/** Other topics are as if they were not in the library; `ken ref search` still finds them. */
function isInScope(scope: readonly string[]): (topic: { readonly slug: string }) => boolean {
  if (scope.includes('all')) return () => true;
  return ({ slug }) => scope.includes(slug) || scope.includes(`topic-${slug}`);
}

async function orFault<Value>(asked: Promise<Value>): Promise<Value | Fault> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const NO_REFERENCES: SearchSource = { name: 'refs', describe: async () => [] };
