/** `-k topic/glob`: subjects to preload for one conversation, in addition to the configured ones. */

import { Fault } from '../../base/fault.ts';
import { type KnowledgeBase, unknownTopic } from './topic.ts';

export interface KnowledgeFlag {
  readonly topicId: string;
  readonly pattern: string;
}

/** The first `/` ends the topic's id; the rest is one pattern, commas and braces included. `topic` means `topic/**`. */
export function parseKnowledgeFlag(value: string): KnowledgeFlag {
  const slash = value.indexOf('/');
  const topicId = slash === -1 ? value : value.slice(0, slash);
  const pattern = slash === -1 ? '' : value.slice(slash + 1);
  if (topicId === '') {
    throw new Fault('kb/invalid-selection', `"${value}" names no topic.`, {
      hint: 'Write -k topic/pattern, or -k topic for all of it.',
    });
  }
  return { topicId, pattern: pattern || '**' };
}

/** Adds to what each topic preloads. An unknown topic is a Fault. */
export function withKnowledgeFlags(knowledge: KnowledgeBase, flags: readonly KnowledgeFlag[]): KnowledgeBase {
  for (const { topicId } of flags) {
    if (knowledge.topics.some(({ id, enabled }) => enabled && id === topicId)) continue;
    const { message, hint } = unknownTopic(knowledge.topics, topicId);
    throw new Fault('kb/unknown-topic', message, { hint });
  }
  const topics = knowledge.topics.map((topic) => {
    const added = flags.filter(({ topicId }) => topicId === topic.id).map(({ pattern }) => pattern);
    return added.length > 0 ? { ...topic, learned: [...new Set([...topic.learned, ...added])] } : topic;
  });
  return { ...knowledge, topics };
}
