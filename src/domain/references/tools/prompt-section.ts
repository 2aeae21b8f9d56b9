/** The prompt section `## Available Reference Topics`. */

import { singleLine } from '../../../base/terminal-text.ts';
import type { AgingPorts } from '../topic/find-topic.ts';
import { listTopics, type TopicSummary } from '../topic/list-topics.ts';

/** The `count` most recently fetched topics that are not obsolete; undefined when there are none. */
export async function referenceSection(ports: AgingPorts, count: number): Promise<string | undefined> {
  if (count === 0) return undefined;
  const topics = (await listTopics(ports, { includeObsolete: false })).slice(0, count);
  if (topics.length === 0) return undefined;
  return `## Available Reference Topics\n\n${topics.map(topicLine).join('\n')}`;
}

/** One short line: a title may come from a page. */
function topicLine({ topic_id: id, title, tags }: TopicSummary): string {
  const shown = short(title).replaceAll('`', "'");
  const words = tags.map((tag) => short(tag)).filter((tag) => tag !== '');
  return `- ${shown} (\`${id}\`)${words.length > 0 ? ` — ${words.slice(0, MOST_TAGS).join(', ')}` : ''}`;
}

const MOST_TAGS = 12;
const LONGEST = 120;

function short(text: string): string {
  const letters = [...singleLine(text)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : letters.join('');
}
