/** What a request says about the knowledge base: its topics, and what is in the system prompt already. */

import type { ModelRequest } from '../model.ts';

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

export function preloadedIn({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): KnownSubject[] {
  const topics = topicsIn({ tools });
  return [...system.matchAll(/<topic "(.*?)">\n([\s\S]*?)\n<\/topic>/g)].flatMap(
    ([, heading = '', body = '']) => {
      const topic = topics.find(({ title, id }) => title === heading || id === heading)?.id ?? heading;
      const subjects = [...body.matchAll(/<subject "(.*?)">\n([\s\S]*?)\n<\/subject>/g)];
      return subjects.map(([, slug = '', text = '']) => ({ topic, slug, text }));
    },
  );
}
