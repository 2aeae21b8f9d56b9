/** The topics that are switched on, with what each holds at this moment. */

import { type Catalog, isListed, readCatalog } from './catalog.ts';
import type { SubjectFiles, TopicFiles } from './subject-files.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

export interface OpenTopic {
  readonly topic: Topic;
  readonly files: SubjectFiles;
  readonly catalog: Catalog;
}

export interface TopicPorts {
  readonly topicFiles: TopicFiles;
}

/** In the order of the configuration. */
export async function openTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<OpenTopic[]> {
  const enabled = knowledge.topics.filter((topic) => topic.enabled);
  return Promise.all(enabled.map((topic) => openTopic(ports, topic)));
}

export async function openTopic({ topicFiles }: TopicPorts, topic: Topic): Promise<OpenTopic> {
  const files = await topicFiles.open(topic);
  return { topic, files, catalog: readCatalog(files, topic) };
}

/** Something that the listing would show is left to learn. */
export function hasListedSubjects({ catalog }: OpenTopic): boolean {
  return catalog.subjects.some(isListed);
}

/**
 * Something is left to learn: a listed subject, or a hidden one that a subject in the system prompt may name.
 * A topic that has nothing but hidden subjects stays unknown.
 */
export function isLearnable(open: OpenTopic): boolean {
  if (hasListedSubjects(open)) return true;
  return open.topic.learned.length > 0 && open.catalog.subjects.some(({ state }) => state === 'available');
}
