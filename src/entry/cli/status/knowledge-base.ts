import { openTopics } from '../../../domain/knowledge-base/open-topics.ts';
import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import type { ReadSection } from './section.ts';

const SHOWN = 5;

export const readKnowledgeBase: ReadSection = async (app) => {
  const opened = await openTopics(app, knowledgeBaseFrom(app.config.kb));
  if (opened.length === 0) return undefined;
  const topics = opened.map(({ topic, catalog }) => {
    const subjects = catalog.reachable.all.filter(({ hidden }) => !hidden);
    const preloaded = subjects.filter(({ state }) => state === 'learned').length;
    return { id: topic.id, subjects: subjects.length, preloaded };
  });
  const lines = topics.slice(0, SHOWN).map(topicLine);
  if (topics.length > SHOWN) lines.push(`and ${topics.length - SHOWN} more topics; see "ken kb ls"`);
  return { lines, data: { topics } };
};

function topicLine({ id, subjects, preloaded }: { id: string; subjects: number; preloaded: number }): string {
  const total = subjects === 1 ? '1 subject' : `${subjects} subjects`;
  return preloaded > 0 ? `${id}: ${total}, ${preloaded} in every prompt` : `${id}: ${total}`;
}
