import { unquoted } from '../../knowledge-base/inert-text.ts';
import { quotedHeading } from '../../knowledge-base/knowledge-section.ts';
import type { Topic } from '../../knowledge-base/topic.ts';
import type { ModelRequest } from '../model/model.ts';

export type NamedTopic = Pick<Topic, 'id' | 'title'>;

export interface KnownTopic {
  readonly id: string;
  readonly title: string;
}

export interface KnownSubject {
  readonly topic: string;
  readonly slug: string;
  readonly text: string;
}

/** Parsed from the description of the learn tool. */
export function topicsIn(request: Pick<ModelRequest, 'tools'>): KnownTopic[] {
  const description = request.tools.find(({ name }) => name === 'learn')?.description ?? '';
  return [...description.matchAll(/^- ([A-Za-z0-9_-]+)(?: \(\*\*(.+?)\*\*\))?/gm)].map(
    ([, id = '', title]) => ({
      id,
      title: title ?? id,
    }),
  );
}

/** `topics` are all topics: the tool does not name those that are entirely in the system prompt. */
export function preloadedIn(
  { system }: Pick<ModelRequest, 'system'>,
  topics: readonly NamedTopic[],
): KnownSubject[] {
  return [...system.matchAll(/<topic (".*?")>\n([\s\S]*?)\n<\/topic>/g)].flatMap(
    ([, heading = '', body = '']) => {
      const topic = topics.find((each) => quotedHeading(each) === heading)?.id;
      if (topic === undefined) return [];
      const subjects = [...body.matchAll(/<subject "(.*?)">\n([\s\S]*?)\n<\/subject>/g)];
      return subjects.map(([, slug = '', text = '']) => ({ topic, slug: unquoted(slug), text }));
    },
  );
}
