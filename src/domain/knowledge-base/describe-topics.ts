/** What there is: every topic and subject with its price. */

import { estimateTokens } from '../../base/text.ts';
import type { Subject } from './catalog.ts';
import { openTopic, type TopicPorts } from './open-topics.ts';
import type { DirectoryProblem, SubjectFiles } from './subject-files.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

export interface DescribedTopic {
  readonly topic: Topic;
  readonly problem?: DirectoryProblem | undefined;
  readonly subjects: readonly DescribedSubject[];
}

export interface DescribedSubject extends Subject {
  /** Nothing when the file cannot be read. */
  readonly bytes: number | undefined;
  /** An estimate. */
  readonly tokens: number | undefined;
}

/** Topics that are switched off are described too. */
export async function describeTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<DescribedTopic[]> {
  return Promise.all(knowledge.topics.map((topic) => describeTopic(ports, topic)));
}

async function describeTopic(ports: TopicPorts, topic: Topic): Promise<DescribedTopic> {
  const { files, catalog } = await openTopic(ports, topic);
  return {
    topic,
    problem: catalog.listing.problem,
    subjects: catalog.subjects.map((subject) => ({ ...subject, ...priceOf(files, subject) })),
  };
}

function priceOf(files: SubjectFiles, { path }: Subject): Pick<DescribedSubject, 'bytes' | 'tokens'> {
  const read = files.read(path, 0);
  if (!read.ok) return { bytes: undefined, tokens: undefined };
  return { bytes: read.size, tokens: estimateTokens({ bytes: read.size }) };
}
