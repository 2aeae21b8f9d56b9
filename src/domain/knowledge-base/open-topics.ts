import { estimateTokens } from '../../base/text.ts';
import { type Catalog, isListed, readCatalog, type Subject } from './catalog.ts';
import type { SubjectFile } from './slugs.ts';
import type { DirectoryProblem, SubjectFiles, TopicFiles } from './subject-files.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

export interface OpenTopic {
  readonly topic: Topic;
  readonly files: SubjectFiles;
  readonly catalog: Catalog;
}

export interface TopicPorts {
  readonly topicFiles: TopicFiles;
}

export async function openTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<OpenTopic[]> {
  const enabled = knowledge.topics.filter((topic) => topic.enabled);
  return Promise.all(enabled.map((topic) => openTopic(ports, topic)));
}

export async function openTopic({ topicFiles }: TopicPorts, topic: Topic): Promise<OpenTopic> {
  const files = await topicFiles.open(topic);
  return { topic, files, catalog: readCatalog(files, topic) };
}

/** Whether the listing would show something to learn. */
export function hasListedSubjects({ catalog }: OpenTopic): boolean {
  return catalog.subjects.some(isListed);
}

/** Whether something is left to learn: a listed subject, or a hidden one that a preloaded subject may name. */
export function isLearnable(open: OpenTopic): boolean {
  if (hasListedSubjects(open)) return true;
  return open.topic.learned.length > 0 && open.catalog.subjects.some(({ state }) => state === 'available');
}

export interface DescribedTopic {
  readonly topic: Topic;
  readonly problem?: DirectoryProblem | undefined;
  readonly subjects: readonly DescribedSubject[];
}

export interface DescribedSubject extends SubjectFile {
  /** Undefined when the file cannot be read. */
  readonly bytes: number | undefined;
  /** Estimated. */
  readonly tokens: number | undefined;
}

/** Includes topics that are switched off. */
export async function describeTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<DescribedTopic[]> {
  return Promise.all(knowledge.topics.map((topic) => describeTopic(ports, topic)));
}

async function describeTopic(ports: TopicPorts, topic: Topic): Promise<DescribedTopic> {
  const { files, catalog } = await openTopic(ports, topic);
  return {
    topic,
    problem: catalog.listing.problem,
    subjects: catalog.subjects.map((subject) => ({ ...subject.plain(), ...priceOf(files, subject) })),
  };
}

function priceOf(files: SubjectFiles, { path }: Subject): Pick<DescribedSubject, 'bytes' | 'tokens'> {
  const read = files.read(path, 0);
  if (!read.ok) return { bytes: undefined, tokens: undefined };
  return { bytes: read.size, tokens: estimateTokens({ bytes: read.size }) };
}
