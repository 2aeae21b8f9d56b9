/** A topic as `learn` sees it: what the budget left out of the system prompt is there to be learned. */

import type { LearnTopic } from './learn.ts';
import { type OpenTopic, openTopic, openTopics, type TopicPorts } from './open-topics.ts';
import { preload } from './preload.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

/** With a budget, only what really went into the system prompt counts as learned. */
export async function learnTopicOf(
  ports: TopicPorts,
  knowledge: KnowledgeBase,
  topic: Topic,
): Promise<LearnTopic> {
  const { maxSubjectBytes, preloadBudgetTokens } = knowledge;
  if (preloadBudgetTokens === 0) return { ...topic, maxSubjectBytes };
  const { catalog } = await openWithinBudget(ports, knowledge, topic);
  const learned = catalog.subjects.filter(({ state }) => state === 'learned').map(({ slug }) => slug);
  return { ...topic, learned, maxSubjectBytes };
}

/** What other topics preload counts too, so all of them are opened when there is a budget. */
export async function openWithinBudget(
  ports: TopicPorts,
  knowledge: KnowledgeBase,
  topic: Topic,
): Promise<OpenTopic> {
  if (knowledge.preloadBudgetTokens === 0) return openTopic(ports, topic);
  const { opened } = preload(await openTopics(ports, knowledge), knowledge);
  return opened.find((open) => open.topic.id === topic.id) ?? openTopic(ports, topic);
}
