/** Reads from a request which topics there are, and which subjects are in the system prompt already. */

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

/** The lines of the learn tool's description. */
export function topicsIn(request: Pick<ModelRequest, 'tools'>): KnownTopic[] {
  const description = request.tools.find(({ name }) => name === 'learn')?.description ?? '';
  return [...description.matchAll(/^- ([A-Za-z0-9_-]+)(?: \(\*\*(.+?)\*\*\))?/gm)].map(
    ([, id = '', title]) => ({
      id,
      title: title ?? id,
    }),
  );
}

/** `topics` are all that there are: once everything is in the system prompt, no tool names them any more. */
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
