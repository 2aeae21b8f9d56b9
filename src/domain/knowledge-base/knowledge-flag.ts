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

/** A conversation does not carry subjects from outside of its workspace. */
function personalTopic(id: string): Fault {
  return new Fault(
    'kb/unknown-topic',
    `"${id}" is a topic of your personal workspace, which -k does not preload.`,
    {
      hint: `Assistants learn it by themselves; "learned" in its own configuration preloads it everywhere.`,
    },
  );
}

/** Adds to what each topic preloads. An unknown topic is a Fault. */
export function withKnowledgeFlags(knowledge: KnowledgeBase, flags: readonly KnowledgeFlag[]): KnowledgeBase {
  for (const { topicId } of flags) {
    const topic = knowledge.topics.find(({ id, enabled }) => enabled && id === topicId);
    if (topic?.root !== undefined) throw personalTopic(topicId);
    if (topic) continue;
    const { message, hint } = unknownTopic(knowledge.topics, topicId);
    throw new Fault('kb/unknown-topic', message, { hint });
  }
  const topics = knowledge.topics.map((topic) => {
    const added = flags.filter(({ topicId }) => topicId === topic.id).map(({ pattern }) => pattern);
    return added.length > 0 ? { ...topic, learned: [...new Set([...topic.learned, ...added])] } : topic;
  });
  return { ...knowledge, topics };
}
