/**
 * `learn` over one topic: the same function whether it is called here or compiled into a sandboxed guest.
 * It needs nothing from its surroundings but the topic's files.
 */

import { Fault } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { failure, success, type ToolResult } from '../../tools/tool.ts';
import { readCatalog } from '../catalog.ts';
import type { SubjectFiles } from '../subject-files.ts';
import type { Topic } from '../topic.ts';
import type { LearnAnswer } from './learn-answer.ts';
import { listSubjects } from './list-subjects.ts';
import { loadSubjects } from './load-subjects.ts';

/** The settings of a topic that learning from its files needs. */
export type LearnTopic = Pick<Topic, 'id' | 'title' | 'description' | 'learned' | 'disabled'> & {
  readonly maxSubjectBytes: number;
};

/** Without patterns: the listing. A topic whose own patterns make no sense is a Fault. */
export function learn(files: SubjectFiles, topic: LearnTopic, patterns: readonly string[]): LearnAnswer {
  const catalog = readCatalog(files, topic);
  if (patterns.length === 0) return listSubjects(files, topic, catalog);
  return loadSubjects(files, catalog, {
    topicId: topic.id,
    patterns,
    maxSubjectBytes: topic.maxSubjectBytes,
  });
}

/** The same from a tool call's arguments, to which the host has added the topic as `_topic`. */
export function learnFromArguments(files: SubjectFiles, given: JsonObject): ToolResult {
  const topic = readTopicMetadata(given[TOPIC_KEY]);
  const patterns = readPatterns(given.subjects);
  if (!patterns) return { outcome: failure('"subjects" must be a string, a list of strings or null.') };
  try {
    return answerAsResult(learn(files, topic, patterns));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { outcome: failure(error.hint ? `${error.message} ${error.hint}` : error.message) };
  }
}

/** A model's arguments with the host's own topic; whatever the model put in its place is dropped. */
export function withTopicMetadata(given: JsonObject, topic: LearnTopic): JsonObject {
  const { id, title, description, learned, disabled, maxSubjectBytes } = topic;
  const metadata = { id, title: title ?? null, description: description ?? null, learned, disabled };
  return { ...given, [TOPIC_KEY]: { ...metadata, max_subject_bytes: maxSubjectBytes } };
}

export function answerAsResult(answer: LearnAnswer): ToolResult {
  if (!answer.ok)
    return { outcome: failure(answer.hint ? `${answer.message} ${answer.hint}` : answer.message) };
  return {
    outcome: success(answer.text),
    // Made only for who asks: it repeats the text.
    get data() {
      return answer.data;
    },
  };
}

/** Patterns from the `subjects` argument; nothing when it is none of what the schema allows. */
export function readPatterns(subjects: Json | undefined): readonly string[] | undefined {
  if (subjects === undefined || subjects === null || subjects === '') return [];
  if (typeof subjects === 'string') return [subjects];
  return isTexts(subjects) ? subjects : undefined;
}

const TOPIC_KEY = '_topic';

/** The host wrote it, so a value that does not fit is a bug. */
function readTopicMetadata(value: Json | undefined): LearnTopic {
  const fields = isObject(value) ? value : {};
  const { id, title, description, learned, disabled, max_subject_bytes: maxSubjectBytes } = fields;
  if (
    typeof id !== 'string' ||
    !isTexts(learned) ||
    !isTexts(disabled) ||
    typeof maxSubjectBytes !== 'number'
  ) {
    throw new Error('The host gave no topic.');
  }
  return { id, title: text(title), description: text(description), learned, disabled, maxSubjectBytes };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
