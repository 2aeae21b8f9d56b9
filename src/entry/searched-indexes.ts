/** Everything that can be searched from where the app was opened. A part that brings a source joins here. */

import type { App, WorkspaceApp } from '../app.ts';
import { knowledgeBaseFrom } from '../domain/knowledge-base/topic.ts';
import { goodTopics } from '../domain/references/find-topic.ts';
import { entrySource } from '../domain/search/entry-source.ts';
import { referenceSource } from '../domain/search/reference-source.ts';
import type { SearchedIndex } from '../domain/search/search-source.ts';
import { subjectSource } from '../domain/search/subject-source.ts';
import { syncIndex } from '../domain/search/sync-index.ts';
import { turnSource } from '../domain/search/turn-source.ts';

export async function searchedIndexes(app: App): Promise<readonly SearchedIndex[]> {
  const listed = isInWorkspace(app)
    ? [subjectSource(app, knowledgeBaseFrom(app.config.kb)), entrySource(app), turnSource(app.conversations)]
    : [];
  const workspace: SearchedIndex = {
    store: app.searchIndex,
    sources: listed,
    async sync(names, signal) {
      const sources = listed.filter(({ name }) => names.includes(name));
      await syncIndex({ store: app.searchIndex, embedder: app.embedder }, sources, signal);
    },
  };
  const topics = (await goodTopics(app)).map(({ topic }) => topic);
  const references: SearchedIndex = {
    store: app.referenceStore,
    sources: [referenceSource(topics, app.clock.now())],
    sync: (_, signal) => app.referenceIndex.sync({}, signal),
  };
  return isInWorkspace(app) ? [workspace, references] : [references];
}

function isInWorkspace(app: App): app is WorkspaceApp {
  return app.workspace !== undefined && app.conversations !== undefined && app.ledger !== undefined;
}
