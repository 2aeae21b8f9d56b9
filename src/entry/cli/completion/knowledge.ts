import type { App } from '../../../app.ts';
import { openTopic } from '../../../domain/knowledge-base/open-topics.ts';
import { findTopic, knowledgeBaseFrom, type Topic } from '../../../domain/knowledge-base/topic.ts';
import type { Completer, Suggestion } from './completer.ts';

export const completeTopics: Completer = async ({ openAnywhere }) =>
  topicsOf(await openAnywhere()).map(({ id, title }) => ({ value: id, description: title }));

/** Of the topic that stands before; hidden ones too, for it is the operator who asks. */
export const completeSubjects: Completer = async ({ arguments: [asked = ''], openAnywhere }) => {
  const app = await openAnywhere();
  const topic = findTopic(topicsOf(app), asked);
  return topic ? slugsOf(app, topic) : [];
};

/** `topic/slug` in one word. */
export const completeTopicSubjects: Completer = async ({ typed, openAnywhere }) => {
  const app = await openAnywhere();
  const topics = topicsOf(app);
  const topic = topics.find(({ id }) => typed.startsWith(`${id}/`));
  if (!topic)
    return topics.map(({ id, title }) => ({ value: `${id}/`, description: title, isPartial: true }));
  const slugs = await slugsOf(app, topic);
  return slugs.map((slug) => ({ ...slug, value: `${topic.id}/${slug.value}` }));
};

function topicsOf({ config }: App): readonly Topic[] {
  return knowledgeBaseFrom(config.kb).topics.filter(({ enabled }) => enabled);
}

async function slugsOf(app: App, topic: Topic): Promise<Suggestion[]> {
  const { catalog } = await openTopic(app, topic);
  return catalog.reachable.all.map(({ slug, hidden }) => ({
    value: slug,
    description: hidden ? 'hidden' : undefined,
  }));
}
