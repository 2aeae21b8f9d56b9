/** What is wrong with a knowledge base: everything that would disappoint whoever learns from it. */

import type { Subject } from './catalog.ts';
import { checkSubject } from './check-subject.ts';
import { finding, type TopicFinding } from './finding.ts';
import { type SlugsByTopic, topicSlugs } from './mentions.ts';
import { type OpenTopic, openTopic, type TopicPorts } from './open-topics.ts';
import { matchPattern } from './patterns.ts';
import type { DirectoryProblem, SkipReason } from './subject-files.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

/** By topic as configured, then by what is checked, then by slug. Topics that are switched off are not looked at. */
export async function checkTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<TopicFinding[]> {
  const enabled = knowledge.topics.filter((topic) => topic.enabled);
  const opened = await Promise.all(enabled.map((topic) => openTopic(ports, topic)));
  const slugs = topicSlugs(opened);
  return opened.flatMap((open) => checkTopic(open, slugs, knowledge.maxSubjectBytes));
}

function checkTopic(open: OpenTopic, slugs: SlugsByTopic, maxBytes: number): TopicFinding[] {
  const { topic, catalog } = open;
  const { problem, skipped } = catalog.listing;
  if (problem)
    return [...emptyTitle(topic), finding(topic, 'directory', `${topic.directory} ${DIRECTORY[problem]}`)];
  return [
    ...emptyTitle(topic),
    ...skipped.map(({ path, reason }) => finding(topic, 'skipped-file', `${path} ${SKIPPED[reason]}`)),
    ...collisions(topic, catalog.subjects),
    ...deadPatterns(open),
    ...catalog.reachable.all.flatMap((subject) => checkSubject(open, subject, { slugs, maxBytes })),
  ];
}

const DIRECTORY: Readonly<Record<DirectoryProblem, string>> = {
  missing: 'does not exist',
  'not-a-directory': 'is not a directory',
  outside: 'is a link that leaves the workspace',
  unreadable: 'cannot be read',
};

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'link-broken': 'is a link that leads nowhere',
  'link-loop': 'is a link back to a directory around it',
  'link-outside': 'is a link that leaves the topic; set follow_symlinks to allow that',
  'name-not-utf8': 'has a name that is not UTF-8',
  'not-a-file': 'is neither a file nor a directory',
  'too-many': 'has more files or links than a topic may have',
  unreadable: 'cannot be read',
};

function emptyTitle(topic: Topic): TopicFinding[] {
  return topic.title?.trim() === '' ? [finding(topic, 'empty-title', 'its title is empty')] : [];
}

function collisions(topic: Topic, subjects: readonly Subject[]): TopicFinding[] {
  return subjects
    .filter(({ collides }) => collides)
    .map(({ path, slug }) => finding(topic, 'collision', `${path} shares its name with another file`, slug));
}

function deadPatterns({ topic, catalog }: OpenTopic): TopicFinding[] {
  const all = { all: catalog.subjects, bySlug: new Map(catalog.subjects.map((each) => [each.slug, each])) };
  const isDead = (pattern: string) => {
    const match = matchPattern(all, pattern, 'all');
    return match.kind !== 'invalid' && match.subjects.length === 0;
  };
  return (['learned', 'disabled'] as const).flatMap((list) =>
    topic[list]
      .filter(isDead)
      .map((pattern) => finding(topic, 'dead-pattern', `${list}: "${pattern}" matches no subject`)),
  );
}
