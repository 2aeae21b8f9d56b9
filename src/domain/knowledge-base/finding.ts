/** One thing that is wrong with a topic. */

import type { Topic } from './topic.ts';

export interface TopicFinding {
  readonly topic: string;
  readonly kind: FindingKind;
  readonly message: string;
  /** Absent when it is about the topic as a whole. */
  readonly slug?: string | undefined;
}

export type FindingKind =
  | 'binary'
  | 'collision'
  | 'dead-pattern'
  | 'directory'
  | 'empty-title'
  | 'invisible-text'
  | 'not-utf8'
  | 'oversize'
  | 'skill'
  | 'skipped-file'
  | 'unknown-subject'
  | 'unreadable';

export function finding(topic: Topic, kind: FindingKind, message: string, slug?: string): TopicFinding {
  return { topic: topic.id, kind, message, ...(slug === undefined ? {} : { slug }) };
}
