/** Hints in a subject's text that name another one: "read `ast-grep/rules`". */

import { lazy } from '../../base/lazy.ts';
import type { OpenTopic } from './open-topics.ts';

/** What can be learned, by topic id; hidden subjects included, since hints are how they are found. */
export type SlugsByTopic = ReadonlyMap<string, ReadonlySet<string>>;

export function topicSlugs(opened: readonly OpenTopic[]): SlugsByTopic {
  return new Map(opened.map(({ topic, catalog }) => [topic.id, new Set(catalog.reachable.bySlug.keys())]));
}

/**
 * Slugs that the text tells its reader to learn and that are not there. Careful rather than complete: a path of source
 * code in backticks is no hint, so a name counts only if it is called a subject or begins like one.
 */
export function deadMentions(text: string, topicId: string, slugs: SlugsByTopic): string[] {
  const own = slugs.get(topicId) ?? new Set();
  const firstParts = new Set([...own].map((slug) => slug.split('/')[0] ?? ''));
  const dead = new Set<string>();
  for (const [, hint = '', name = ''] of text.matchAll(mention())) {
    const [first = '', ...rest] = name.split('/');
    const isPath = rest.length > 0 && (firstParts.has(first) || slugs.has(first));
    if (!isPath && !CALLED_SUBJECT.test(hint)) continue;
    if (!own.has(name) && !slugs.get(first)?.has(rest.join('/'))) dead.add(name);
  }
  return [...dead];
}

/** A verb of reading and a name in backticks without an extension or glob characters. */
const mention = lazy(
  () =>
    /\b((?:read|learn|load|see|study|consult)(?:[ \t]+(?:also|the|subjects?))*)[ \t]+`([\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}_-]+)*)`/giu,
);
const CALLED_SUBJECT = /^learn|subjects?$/i;
