import { isJsonList, type Json, type JsonObject } from '../../../base/json.ts';
import { counted } from '../../../base/text.ts';
import { failure, success, type Tool, type ToolRequest, type ToolResult } from '../../tools/tool.ts';
import { tooLongIn } from '../../tools/unattended-tool.ts';
import { inertText, shortQuote } from '../inert-text.ts';
import { topicLine, withinMenu } from '../knowledge-section.ts';
import { isLearnable, type OpenTopic, type TopicPorts } from '../open-topics.ts';
import type { SubjectRanker } from '../subject-ranker.ts';
import {
  findTopic,
  type KnowledgeBase,
  RESERVED_TOPIC,
  SHIPPED_TOPIC,
  type Topic,
  unknownTopic,
} from '../topic.ts';
import { answerAsResult, learnFromArguments, readPatterns, withTopicMetadata } from './learn.ts';
import { learnTopicOf, openWithinBudget } from './learn-from.ts';
import { HOW_TO_LEARN } from './list-subjects.ts';
import { searchSubjects } from './search-subjects.ts';

export interface LearnPorts extends TopicPorts {
  readonly subjectRanker: SubjectRanker;
  readonly learnRunner: LearnRunner;
  /** Rules that the operator approved, for the subject `rules` of ken's own topic. */
  approvedRules?(): Promise<readonly { readonly id: string; readonly text: string }[]>;
}

/** Runs `learn` over one topic's files, in this process or in a sandbox that sees nothing else. */
export interface LearnRunner {
  /** `given` includes the topic's metadata. */
  run(topic: Topic, given: JsonObject, signal: AbortSignal): Promise<ToolResult>;
}

export function nativeLearnRunner({ topicFiles }: TopicPorts): LearnRunner {
  return {
    async run(topic, given) {
      return learnFromArguments(await topicFiles.open(topic), given);
    },
  };
}

/** Undefined when no topic has a subject left to learn. `opened` are the topics after preloading. */
export function learnTool(
  ports: LearnPorts,
  knowledge: KnowledgeBase,
  opened: readonly OpenTopic[],
): Tool | undefined {
  const topics = opened.filter(isLearnable).map(({ topic }) => topic);
  if (topics.length === 0) return undefined;
  return {
    name: 'learn',
    description: learnDescription(topics),
    parameters: LEARN_PARAMETERS,
    aliases: LEARN_ALIASES,
    output: LEARN_OUTPUT,
    reach: 'read',
    run: 'unattended',
    call: (request, signal) => callLearn(ports, knowledge, request, signal),
  };
}

/** Earlier names of `question`. */
export const LEARN_ALIASES = { search: 'question', query: 'question' };

export const LEARN_PARAMETERS: JsonObject = {
  type: 'object',
  properties: {
    topic: { type: 'string', description: 'The topic ID or title to learn about.' },
    subjects: {
      type: ['string', 'array', 'null'],
      description:
        'Glob pattern(s) for subjects to load. Use * for current level, ** for recursive. Omit to list available subjects.',
      items: { type: 'string' },
    },
    question: {
      type: 'string',
      description:
        "A question, or words to look for. Ranks the topic's subjects and returns the best lines of each instead of whole subjects.",
    },
  },
  required: ['topic'],
  additionalProperties: false,
};

const slug = { type: 'string', description: 'Names a subject of the topic.' };
const isInPrompt = { type: 'boolean', description: 'It is in the system prompt already.' };

const LEARN_OUTPUT: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'What to do next, and what was not found.' },
    topic: { type: 'string', description: 'The id of the topic.' },
    available: listOf('What can be loaded.', { slug, description: { type: 'string' } }, ['slug']),
    learned: { type: 'array', items: { type: 'string' }, description: 'In the system prompt already.' },
    subjects: listOf(
      'What was loaded: each with its text, or why there is none.',
      { slug, text: { type: 'string' }, skipped: { type: 'string' }, learned: isInPrompt },
      ['slug'],
    ),
    unmatched: { type: 'array', items: { type: 'string' }, description: 'Patterns that match nothing.' },
    hits: listOf(
      'The subjects that answer best, best first.',
      { slug, title: { type: 'string' }, passage: { type: 'string' }, learned: isInPrompt },
      ['slug', 'passage'],
    ),
  },
  required: ['topic'],
  additionalProperties: false,
};

function listOf(description: string, properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'array', description, items: { type: 'object', properties, required } };
}

function learnDescription(topics: readonly Topic[]): string {
  const lines = withinMenu(
    topics.map(topicLine),
    (left) => `- and ${counted(left, 'more topic')}; \`search\` finds their subjects`,
  );
  return `Learn about knowledge base topics and subjects.\n\nAvailable topics:\n\n${lines}`;
}

async function callLearn(
  ports: LearnPorts,
  knowledge: KnowledgeBase,
  { action, arguments: given }: ToolRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (action === 'format-arguments') return { outcome: success(shownArguments(given)) };
  const tooLong = tooLongIn({ question: given.question ?? null });
  if (tooLong !== undefined) return { outcome: failure(tooLong) };
  const asked = given.topic;
  if (typeof asked !== 'string') return { outcome: failure('"topic" must be a string.') };
  if (asked === RESERVED_TOPIC && ports.approvedRules && isRules(given.subjects))
    return rulesAnswer(await ports.approvedRules());
  const topic = asked === RESERVED_TOPIC ? SHIPPED_TOPIC : findTopic(knowledge.topics, asked);
  if (!topic) {
    const { message, hint } = unknownTopic(knowledge.topics, asked);
    return { outcome: failure(`${message} ${hint}`) };
  }
  if (typeof given.question === 'string' && given.question.trim() !== '') {
    return withLead(await search(ports, knowledge, topic, given.question, given.subjects), topic);
  }
  const learnTopic = await learnTopicOf(ports, knowledge, topic);
  return withLead(await ports.learnRunner.run(topic, withTopicMetadata(given, learnTopic), signal), topic);
}

/** Data that stands alone: some clients show a model nothing else. */
function withLead(result: ToolResult, { description }: Topic): ToolResult {
  const { outcome, data } = result;
  if (outcome.type !== 'success' || data === undefined) return result;
  const text = leadOf(data, inertText(description?.trim() ?? ''));
  return { ...result, data: { text, ...data } };
}

/** The part of the text that the members of the data do not say. */
function leadOf({ available, subjects, unmatched }: JsonObject, description: string): string {
  if (isJsonList(available))
    return [description, available.length > 0 ? HOW_TO_LEARN : 'It has no subjects left to learn.']
      .filter(Boolean)
      .join(' ');
  if (!isJsonList(subjects)) return HOW_TO_LEARN;
  const missing = isJsonList(unmatched) ? unmatched : [];
  const gaps = missing.map((pattern) => `No subject matches ${shortQuote(`${pattern}`)}.`);
  return [`${counted(subjects.length, 'subject')}.`, ...gaps].join(' ');
}

function isRules(subjects: Json | undefined): boolean {
  const patterns = readPatterns(subjects) ?? [];
  return patterns.length === 1 && patterns[0] === 'rules';
}

function rulesAnswer(rules: readonly { readonly id: string; readonly text: string }[]): ToolResult {
  if (rules.length === 0) return { outcome: success('No rule is in force.') };
  const texts = rules.map(({ id, text }) => `## ${id}\n\n${inertText(text.trim())}`);
  return { outcome: success(`The operator approved these rules. Follow them.\n\n${texts.join('\n\n')}`) };
}

/** Runs in this process: a search needs every subject's text and an index. */
async function search(
  ports: LearnPorts,
  knowledge: KnowledgeBase,
  topic: Topic,
  words: string,
  subjects: Json | undefined,
): Promise<ToolResult> {
  const patterns = readPatterns(subjects);
  if (!patterns) return { outcome: failure('"subjects" must be a string, a list of strings or null.') };
  const { maxSubjectBytes } = knowledge;
  const open = await openWithinBudget(ports, knowledge, topic);
  const answer = await searchSubjects(ports.subjectRanker, open, { words, patterns, maxSubjectBytes });
  return answerAsResult(answer);
}

/** `skills: ast-grep, ast-grep/rules` */
function shownArguments({ topic, subjects, question: words }: JsonObject): string {
  const patterns = readPatterns(subjects) ?? [];
  const shown = typeof words === 'string' && words ? [`search "${words}"`, ...patterns] : patterns;
  return shown.length > 0 ? `${topic}: ${shown.join(', ')}` : `${topic}`;
}
