/** `learn` over one topic, compiled into the sandboxed guest as well: it needs nothing but the topic's files. */

import { Fault } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { failure, success, type ToolResult } from '../../tools/tool.ts';
import { readCatalog } from '../catalog.ts';
import type { SubjectFiles } from '../subject-files.ts';
import type { Topic } from '../topic.ts';
import type { LearnAnswer } from './learn-answer.ts';
import { listSubjects } from './list-subjects.ts';
import { loadSubjects } from './load-subjects.ts';

export type LearnTopic = Pick<Topic, 'id' | 'title' | 'description' | 'learned' | 'disabled'> & {
  readonly maxSubjectBytes: number;
};

/** Lists the topic when there are no patterns. A topic with invalid patterns of its own is a Fault. */
export function learn(files: SubjectFiles, topic: LearnTopic, patterns: readonly string[]): LearnAnswer {
  const catalog = readCatalog(files, topic);
  if (patterns.length === 0) return listSubjects(files, topic, catalog);
  return loadSubjects(files, catalog, {
    topicId: topic.id,
    patterns,
    maxSubjectBytes: topic.maxSubjectBytes,
  });
}

/** Reads the arguments of a tool call, to which the host has added the topic as `_topic`. */
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

/** Overwrites whatever the model put in its place. */
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
    // Computed on demand: it repeats the text.
    get data() {
      return answer.data;
    },
  };
}

/** Undefined when the schema does not allow the value. */
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
