/** Topics and references of a team behind `ken serve`, in place of those of the machine that serves. */

import type { Serving } from '../adapters/postgres/index/start-serving.ts';
import type { Database, Tenant } from '../adapters/postgres/seam/database.ts';
import type { App, ConversationPorts, WorkspaceApp } from '../app.ts';
import type { Config } from '../config/schema.ts';
import { searchEngine } from '../domain/search/engine/search-engine.ts';
import { MEASURED_WEIGHTS } from '../domain/search/ranking/fuse-scores.ts';
import { isSharedTopicId, type SharedTopic } from '../domain/team/topics/shared-topics.ts';
import { openSubjectRanker } from './search.ts';
import { openTeamLibrary } from './team.ts';

type Stores = Pick<ConversationPorts, 'conversations'> &
  Pick<App, 'topicFiles' | 'library' | 'referenceStore' | 'referenceIndex' | 'searchIndex' | 'engine'>;

/** `plain` tells nobody of changes: an index is derived. */
export async function topicStoresOf(
  {
    database,
    plain,
    serving,
  }: { readonly database: Database; readonly plain: Database; readonly serving: Serving },
  base: WorkspaceApp,
  tenant: Tenant,
): Promise<Stores> {
  const { postgresIndexStore } = await import('../adapters/postgres/index/index-store.ts');
  const { postgresTopicFiles } = await import('../adapters/postgres/knowledge-base/subject-files.ts');
  const { referenceIndex } = await import('../domain/search/engine/reference-index.ts');
  const searchIndex = postgresIndexStore(plain, tenant, serving);
  // Beside that of the workspace, as on a machine; no workspace has such a name.
  const referenceStore = postgresIndexStore(
    plain,
    {
      ...tenant,
      workspace: `${tenant.workspace}/references`,
    },
    serving,
  );
  const library = await openTeamLibrary(database, tenant);
  const { embedder } = base;
  const engine = searchEngine({ stores: [searchIndex, referenceStore], embedder, weights: MEASURED_WEIGHTS });
  const own = postgresTopicFiles(database, tenant);
  const { postgresSharedConversations } = await import(
    '../adapters/postgres/conversations/shared-conversations.ts'
  );
  const { sharedConversationStore } = await import('../domain/team/conversations/shared-store.ts');
  return {
    topicFiles: { open: (place) => (place.isShipped ? base.topicFiles : own).open(place) },
    library,
    conversations: sharedConversationStore(postgresSharedConversations(database, tenant)),
    searchIndex,
    referenceStore,
    engine,
    referenceIndex: referenceIndex({ ...base, store: referenceStore, library, engine }),
  };
}

/** Reads the topics that a workspace of the team has now; each again only when it has changed. */
export async function teamTopicsOf(database: Database, tenant: Tenant) {
  const { postgresSharedTopics } = await import('../adapters/postgres/knowledge-base/shared-topics.ts');
  const topics = postgresSharedTopics(database, tenant);
  let known = new Map<string, SharedTopic>();
  return async (config: Config): Promise<Config> => {
    const now = new Map<string, SharedTopic>();
    for (const [id, digest] of await topics.digests()) {
      const same = known.get(id);
      const topic = same?.digest === digest ? same : await topics.get(id);
      if (topic && isSharedTopicId(id)) now.set(id, topic);
    }
    known = now;
    const settings = [...now.values()].map(({ id, about }) => [id, topicSettings(id, about)]);
    return { ...config, kb: { ...config.kb, topic: Object.fromEntries(settings) } };
  };
}

function topicSettings(id: string, { title, introduction, description }: SharedTopic['about']) {
  return {
    ...{ enable: true, subjects: id, learned: [], disabled: [], follow_symlinks: false, gitignore: false },
    title: title || undefined,
    introduction: introduction || undefined,
    description: description || undefined,
  };
}

/** With the topics of this moment. */
export function withTopics(app: WorkspaceApp, config: Config): WorkspaceApp {
  const own = { ...app, config };
  return { ...own, subjectRanker: openSubjectRanker(own) };
}
