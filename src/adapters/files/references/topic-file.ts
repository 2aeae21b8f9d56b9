/** Reads and writes `topic.md`: TOML between `+++` lines, then the body. */

import { parse, stringify, TomlError } from 'smol-toml';
import { Fault } from '../../../base/fault.ts';
import { FieldProblem } from '../../../domain/references/topic/field-readers.ts';
import { type ReferenceTopic, topicId } from '../../../domain/references/topic/topic.ts';
import { tableOfTopic, topicFrom } from '../../../domain/references/topic/topic-fields.ts';

export type ReadTopic =
  | { readonly ok: true; readonly topic: ReferenceTopic }
  | { readonly ok: false; readonly problem: string };

export const MAX_TOPIC_BYTES = 1024 * 1024;
const MAX_DEPTH = 50;

/** Returns a problem instead of throwing. */
export function parseTopicFile(slug: string, text: string): ReadTopic {
  const parts = /^\ufeff?\+\+\+[ \t]*\r?\n(?:(.*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n(.*))?$/s.exec(text);
  if (!parts)
    return { ok: false, problem: 'topic.md: it does not begin with a part between two lines of +++' };
  const [, front = '', rest = ''] = parts;
  try {
    const table = parse(front, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH });
    return { ok: true, topic: topicFrom(slug, table, bodyIn(rest)) };
  } catch (error) {
    return { ok: false, problem: `topic.md: ${problemOf(error)}` };
  }
}

/** A Fault when the text would be too long for `parseTopicFile`. */
export function formatTopicFile(topic: ReferenceTopic): string {
  const front = stringify(tableOfTopic(topic), { maxDepth: MAX_DEPTH + 2 });
  const text = `+++\n${front}+++\n\n${topic.body}\n`;
  if (Buffer.byteLength(text) <= MAX_TOPIC_BYTES) return text;
  throw new Fault('references/too-large', `The description of ${topicId(topic)} is longer than 1 MiB.`, {
    hint: 'Shorten its body, tags and labels.',
  });
}

/** Leaves out what `formatTopicFile` adds: an empty line before the body, and its last line end. */
function bodyIn(rest: string): string {
  return rest.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

function problemOf(error: unknown): string {
  if (error instanceof FieldProblem) return error.message;
  if (!(error instanceof TomlError)) throw error;
  const [first = ''] = error.message.split('\n');
  // The opening +++ is the first line of the file.
  return `line ${error.line + 1}: ${first.replace(/^Invalid TOML document: /, '').replace(/\.$/, '')}`;
}
