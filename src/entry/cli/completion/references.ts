import { recentTopics } from '../../../domain/references/topic/list-topics.ts';
import { topicId } from '../../../domain/references/topic/topic.ts';
import type { Completer } from './completer.ts';

/** Obsolete ones, too: they can be shown, updated and deleted. */
export const completeReferenceTopics: Completer = async ({ openAnywhere }) => {
  const topics = await recentTopics(await openAnywhere());
  return topics.map((topic) => ({ value: topicId(topic), description: topic.title }));
};
