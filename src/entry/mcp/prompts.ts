import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { shortQuote } from '../../domain/knowledge-base/inert-text.ts';
import { learnFrom } from '../../domain/knowledge-base/learn/learn-from.ts';
import { isLearnable } from '../../domain/knowledge-base/open-topics.ts';
import { RESERVED_TOPIC, type Topic, topicHeading } from '../../domain/knowledge-base/topic.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** In any order. */
export async function listPrompts(served: ServedWorkspace): Promise<readonly Prompt[]> {
  const topics = (await promptTopics(served)).map((topic) => ({
    name: promptName(topic),
    title: topicHeading(topic),
    description: topic.introduction ?? `What is known about ${topicHeading(topic)}.`,
    arguments: [SUBJECTS],
  }));
  return [
    ...topics,
    ...(await shippedSkills(served)).map((name) => ({ name, description: SKILLS[name] ?? '' })),
  ];
}

const SUBJECTS = {
  name: 'subjects',
  description: 'Slugs or globs, with commas between; left out, the list of subjects.',
  required: false,
};

/** Subjects of ken's own topic that have a prompt. */
const SKILLS: Readonly<Record<string, string>> = {
  'reference-researcher': 'How to find, fetch and keep reference material well.',
};

async function shippedSkills(served: ServedWorkspace): Promise<readonly string[]> {
  const shipped = (await served.topics()).find(({ topic }) => topic.id === RESERVED_TOPIC);
  return Object.keys(SKILLS).filter((slug) => shipped?.catalog.reachable.bySlug.has(slug));
}

export async function getPrompt(
  served: ServedWorkspace,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const skills = await shippedSkills(served);
  if (skills.includes(name)) return skillPrompt(served, name, given);
  const topics = await promptTopics(served);
  const topic = topics.find((each) => promptName(each) === name);
  if (!topic) throw unknownPrompt(name, [...topics.map(promptName), ...skills]);
  const stray = Object.keys(given).find((key) => key !== SUBJECTS.name);
  if (stray !== undefined) throw invalid(`There is no argument "${stray}". Did you mean subjects?`);
  const patterns = (given.subjects ?? '').split(',').map((pattern) => pattern.trim());
  const text = await learned(served, topic.id, patterns.filter(Boolean));
  return messageFor(
    topicHeading(topic),
    `Keep to what is known here about ${topicHeading(topic)}:\n\n${text}`,
  );
}

async function skillPrompt(
  served: ServedWorkspace,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const [stray] = Object.keys(given);
  if (stray !== undefined) throw invalid(`The prompt "${name}" takes no argument "${stray}".`);
  return messageFor(SKILLS[name] ?? name, await learned(served, RESERVED_TOPIC, [name]));
}

function messageFor(description: string, text: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

export function promptName({ id }: Topic): string {
  return `learn-${id}`;
}

async function promptTopics(served: ServedWorkspace): Promise<readonly Topic[]> {
  return (await served.topics()).filter(isLearnable).map(({ topic }) => topic);
}

async function learned(
  { app, knowledge }: ServedWorkspace,
  topic: string,
  patterns: readonly string[],
): Promise<string> {
  try {
    return fitting((await learnFrom(app, knowledge, { topic, patterns })).text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw invalid([error.message, error.hint].filter(Boolean).join(' '));
  }
}

const LIMIT_BYTES = 256 * 1024;

/** Keeps whole lines from the start. */
function fitting(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LIMIT_BYTES) return text;
  const end = bytes.lastIndexOf('\n', LIMIT_BYTES - 1) + 1 || LIMIT_BYTES;
  const shown = bytes
    .subarray(0, end)
    .toString()
    .replace(/\uFFFD$/, '');
  return `${shown}\n(cut: the first ${end} of ${bytes.length} bytes are shown; name fewer subjects)`;
}

function unknownPrompt(name: string, names: readonly string[]): ProtocolError {
  return invalid(
    `There is no prompt ${shortQuote(name)}. ${didYouMean(name, names) ?? `Prompts: ${names.join(', ') || 'none'}.`}`,
  );
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
