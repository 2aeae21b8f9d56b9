/** Prompts that a person may choose: one for each topic of the knowledge base. */

import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { learnFrom } from '../../domain/knowledge-base/learn-from.ts';
import { isLearnable } from '../../domain/knowledge-base/open-topics.ts';
import { type Topic, topicHeading } from '../../domain/knowledge-base/topic.ts';
import type { Served } from './served.ts';

/** In no particular order. */
export async function listPrompts(served: Served): Promise<readonly Prompt[]> {
  return (await promptTopics(served)).map((topic) => ({
    name: promptName(topic),
    title: topicHeading(topic),
    description: topic.introduction ?? `What is known about ${topicHeading(topic)}.`,
    arguments: [
      {
        name: 'subjects',
        description: 'Slugs or globs, with commas between; left out, the list of subjects.',
        required: false,
      },
    ],
  }));
}

export async function getPrompt(
  served: Served,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const topics = await promptTopics(served);
  const topic = topics.find((each) => promptName(each) === name);
  if (!topic) throw unknownPrompt(name, topics.map(promptName));
  const stray = Object.keys(given).find((key) => key !== 'subjects');
  if (stray !== undefined) throw invalid(`There is no argument "${stray}". Did you mean subjects?`);
  const patterns = (given.subjects ?? '').split(',').map((pattern) => pattern.trim());
  const text = await learned(served, topic, patterns.filter(Boolean));
  return {
    description: topicHeading(topic),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Its name. */
export function promptName({ id }: Topic): string {
  return `learn-${id}`;
}

async function promptTopics(served: Served): Promise<readonly Topic[]> {
  return (await served.topics()).filter(isLearnable).map(({ topic }) => topic);
}

async function learned(
  { app, knowledge }: Served,
  topic: Topic,
  patterns: readonly string[],
): Promise<string> {
  try {
    const { text } = await learnFrom(app, knowledge, { topic: topic.id, patterns });
    return `Keep to what is known here about ${topicHeading(topic)}:\n\n${text}`;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw invalid([error.message, error.hint].filter(Boolean).join(' '));
  }
}

function unknownPrompt(name: string, names: readonly string[]): ProtocolError {
  return invalid(
    `There is no prompt "${name}". ${didYouMean(name, names) ?? `Prompts: ${names.join(', ') || 'none'}.`}`,
  );
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
