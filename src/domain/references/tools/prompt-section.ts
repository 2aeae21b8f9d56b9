import type { AgingPorts } from '../topic/find-topic.ts';
import { listTopics, type TopicSummary } from '../topic/list-topics.ts';

/** The `count` most recently fetched topics that are not obsolete; undefined when there are none. */
export async function referenceSection(ports: AgingPorts, count: number): Promise<string | undefined> {
  if (count === 0) return undefined;
  const topics = (await listTopics(ports, { includeObsolete: false })).slice(0, count);
  if (topics.length === 0) return undefined;
  return `## Available Reference Topics\n\n${topics.map(topicLine).join('\n')}`;
}

/** One short line in which nothing can close a tag or pass for a sentence: titles and tags come from models and pages. */
function topicLine({ topic_id: id, title, tags }: TopicSummary): string {
  const shown = short(plain(title), LONGEST_TITLE);
  const words = tags.map((tag) => short(plain(tag), LONGEST_TAG)).filter((tag) => tag !== '');
  return `- ${shown} (\`${id}\`)${words.length > 0 ? ` — ${words.slice(0, MOST_TAGS).join(', ')}` : ''}`;
}

const MOST_TAGS = 6;
const LONGEST_TITLE = 80;
const LONGEST_TAG = 24;

/** Letters, marks, digits and the signs that names have, without escapes and angle brackets in any spelling. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N} .,:'()+#&/_-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function short(text: string, longest: number): string {
  const letters = [...text];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : text;
}
