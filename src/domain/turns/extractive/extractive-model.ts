/**
 * `ken/extractive`: no language model. It searches what ken knows, learns the best subjects and answers with the
 * paragraphs that are about the question, each with its citation. It goes through the same loop as any model.
 */

import { OFFLINE_MODEL } from '../../conversations/event-text.ts';
import type { Model, ModelEvent, ModelRequest, ModelToolCall, ToolAnswer } from '../model/model.ts';
import { answerText, type Candidate, questionWords } from './answer-text.ts';
import { type NamedTopic, preloadedIn, topicsIn } from './knowledge-in-request.ts';

const MAX_TOPICS = 8;
const MAX_SUBJECTS = 4;

/** `topics` of the knowledge base, to cite subjects in the system prompt by the topic's id. */
export function extractiveModel(topics: readonly NamedTopic[]): Model {
  return {
    name: OFFLINE_MODEL,
    async *stream(request) {
      yield* reply(request, topics);
    },
  };
}

function* reply(request: ModelRequest, topics: readonly NamedTopic[]): Generator<ModelEvent> {
  const { question, steps } = progress(request);
  const calls = nextCalls(request, question, steps);
  if (calls.length > 0) {
    for (const call of calls) yield { type: 'tool-call', call };
    yield { type: 'finish', finish: 'tool-calls' };
    return;
  }
  yield {
    type: 'text-delta',
    text: answerText(question, [...preloadedIn(request, topics), ...learned(steps)]),
  };
  yield { type: 'finish', finish: 'stop' };
}

/** A call that was made for this question, and its result. */
interface Step {
  readonly call: ModelToolCall;
  readonly answer: ToolAnswer | undefined;
}

function progress({ messages }: ModelRequest): { question: string; steps: readonly Step[] } {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const since = messages.slice(asked + 1);
  const answers = new Map(
    since.flatMap((message) =>
      message.role === 'tool' ? message.results.map((result) => [result.id, result] as const) : [],
    ),
  );
  const steps = since.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts.flatMap((part) =>
          part.type === 'tool-call' ? [{ call: part, answer: answers.get(part.id) }] : [],
        )
      : [],
  );
  const question = messages[asked];
  return { question: question?.role === 'user' ? soughtIn(question.text) : '', steps };
}

/** The first paragraph that ends with a question mark, else the first one. */
function soughtIn(text: string): string {
  const paragraphs = text
    .replace(ATTACHED, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return paragraphs.find((paragraph) => paragraph.endsWith('?')) ?? paragraphs[0] ?? '';
}

/** Attachments that `historyMessages` puts before the question. */
const ATTACHED =
  /^(?:Attached ".*":\n\n(?:(?<fence>`{3,})[\s\S]*?\n\k<fence>|Between .*\n<<<data (?<id>\w+)\n[\s\S]*?\n\k<id> data>>>)\n\n)+/;

function nextCalls(request: ModelRequest, question: string, steps: readonly Step[]): ModelToolCall[] {
  if (questionWords(question).length === 0) return [];
  if (steps.length === 0) {
    const topics = topicsIn(request).slice(0, MAX_TOPICS);
    return topics.map(({ id }, at) => learnCall(`search-${at + 1}`, { topic: id, question }));
  }
  if (steps.some(({ call }) => !('question' in argumentsOf(call)))) return [];
  return bestSubjects(steps)
    .slice(0, MAX_SUBJECTS)
    .map(({ topic, slug }, at) => learnCall(`learn-${at + 1}`, { topic, subjects: [slug] }));
}

function learnCall(id: string, given: Record<string, string | string[]>): ModelToolCall {
  return { id: `extractive-${id}`, name: 'learn', arguments: given };
}

/** The first of each topic, then the second of each: topics cannot be compared with each other. */
function bestSubjects(steps: readonly Step[]): { topic: string; slug: string }[] {
  const lists = steps.map(({ call, answer }) => {
    const topic = String(argumentsOf(call).topic);
    return answer && !answer.isError ? foundSlugs(answer.text).map((slug) => ({ topic, slug })) : [];
  });
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Parses the result list of `learn`; leaves out subjects in the system prompt. */
function foundSlugs(text: string): string[] {
  const lines = [...text.matchAll(/^- (\S+)(?: \(.*?\))?( \[already in the system prompt\])?$/gm)];
  return lines.filter(([, , already]) => !already).map(([, slug = '']) => slug);
}

function learned(steps: readonly Step[]): Candidate[] {
  return steps.flatMap(({ call, answer }) => {
    const { topic, subjects } = argumentsOf(call);
    const slug = Array.isArray(subjects) ? subjects[0] : undefined;
    if (!slug || !answer || answer.isError) return [];
    return [{ topic: String(topic), slug: String(slug), text: answer.text }];
  });
}

function argumentsOf({ arguments: given }: ModelToolCall): Record<string, unknown> {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
}
