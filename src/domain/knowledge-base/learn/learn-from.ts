/** `learn` for a person: the tool's answers, but Faults instead of error outcomes. */

import { Fault, type FaultCode } from '../../../base/fault.ts';
import { type OpenTopic, openTopic, openTopics, type TopicPorts } from '../open-topics.ts';
import { preload } from '../preload.ts';
import type { SubjectRanker } from '../subject-ranker.ts';
import {
  findTopic,
  type KnowledgeBase,
  RESERVED_TOPIC,
  SHIPPED_TOPIC,
  type Topic,
  unknownTopic,
} from '../topic.ts';
import { type LearnTopic, learn } from './learn.ts';
import type { LearnAnswer } from './learn-answer.ts';
import { searchSubjects } from './search-subjects.ts';

export interface LearnQuestion {
  readonly topic: string;
  readonly patterns: readonly string[];
  readonly search?: string | undefined;
}

type Answered = Extract<LearnAnswer, { ok: true }>;

export async function learnFrom(
  ports: TopicPorts & { readonly subjectRanker: SubjectRanker },
  knowledge: KnowledgeBase,
  { topic: asked, patterns, search }: LearnQuestion,
): Promise<Answered> {
  const topic = requireTopic(knowledge, asked);
  const { maxSubjectBytes } = knowledge;
  if (search !== undefined) {
    const open = await openWithinBudget(ports, knowledge, topic);
    return answered(
      await searchSubjects(ports.subjectRanker, open, { words: search, patterns, maxSubjectBytes }),
    );
  }
  const learnTopic = await learnTopicOf(ports, knowledge, topic);
  return answered(learn(await ports.topicFiles.open(topic), learnTopic, patterns));
}

/** Also finds the topic that ships with ken. A Fault with the valid topics when there is none of that name. */
export function requireTopic(knowledge: KnowledgeBase, asked: string): Topic {
  // Checked first, since a topic of the workspace may have this title.
  if (asked === RESERVED_TOPIC) return SHIPPED_TOPIC;
  const topic = findTopic(knowledge.topics, asked);
  if (topic) return topic;
  const { message, hint } = unknownTopic(knowledge.topics, asked);
  throw new Fault('kb/unknown-topic', message, { hint });
}

function answered(answer: LearnAnswer): Answered {
  if (answer.ok) return answer;
  throw new Fault(CODES[answer.reason], answer.message, { hint: answer.hint });
}

const CODES: Readonly<Record<Extract<LearnAnswer, { ok: false }>['reason'], FaultCode>> = {
  'invalid-pattern': 'kb/invalid-pattern',
  'no-match': 'kb/no-match',
  'nothing-readable': 'kb/unreadable',
};

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

/** Opens all topics when there is a budget, since the subjects that they preload use it too. */
export async function openWithinBudget(
  ports: TopicPorts,
  knowledge: KnowledgeBase,
  topic: Topic,
): Promise<OpenTopic> {
  if (knowledge.preloadBudgetTokens === 0) return openTopic(ports, topic);
  const { opened } = preload(await openTopics(ports, knowledge), knowledge);
  return opened.find((open) => open.topic.id === topic.id) ?? openTopic(ports, topic);
}
